import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import css from "./markdown.module.css";

const plugins = [remarkGfm];

// A document is not trusted: its links are words with their target as tooltip, its pictures are their descriptions.
const components: Components = {
  a: ({ children, href }) => (
    <span className={css.link} data-tip={href}>
      {children}
    </span>
  ),
  img: ({ alt }) => <span className="mut">{alt}</span>,
  input: ({ checked }) => <span aria-hidden>{checked ? "☑" : "☐"}</span>,
};

/** The rendering itself, in a part of the program that is loaded when first needed. */
export default function MarkdownBody({ text }: { text: string }) {
  return (
    <div className={css.markdown}>
      <ReactMarkdown remarkPlugins={plugins} components={components} skipHtml>
        {text}
      </ReactMarkdown>
    </div>
  );
}
