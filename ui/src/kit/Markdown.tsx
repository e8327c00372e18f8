import { lazy, Suspense } from "react";
import css from "./markdown.module.css";

const MarkdownBody = lazy(() => import("./MarkdownBody"));

/** Markdown as a document would show it, inert: no HTML, no pictures, no links that lead out. */
export function Markdown({ text }: { text: string }) {
  return (
    <Suspense fallback={<div className={`${css.markdown} ${css.plain}`}>{text}</div>}>
      <MarkdownBody text={text} />
    </Suspense>
  );
}
