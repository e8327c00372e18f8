// What stands where there is nothing to show yet, nothing at all, or a failure.

import { IconCircleDashed, IconCircleX } from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import { t } from "@/text";
import { type Explained, explain } from "@/text/errors";
import { visible } from "@/text/visible";
import { Button } from "./Button";
import { Note } from "./Note";
import css from "./states.module.css";

/** Whether `pending` has lasted for `milliseconds`. */
export function useDelayed(pending: boolean, milliseconds = 300): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!pending) return setLate(false);
    const timer = setTimeout(() => setLate(true), milliseconds);
    return () => clearTimeout(timer);
  }, [pending, milliseconds]);
  return pending && late;
}

type SkeletonProps = {
  label?: string;
  /** Another part of the screen says already that it is on its way. */
  quiet?: boolean;
};

const announced = ({ label, quiet }: SkeletonProps) => ({
  "data-skeleton": true,
  ...(quiet
    ? { "aria-hidden": true }
    : { role: "status", "aria-label": label ?? t("kit.loading"), "aria-busy": true }),
});

/** A line of words to come. */
const Bone = ({ width, height }: { width: number | string; height?: number }) => (
  <span className="skel" style={{ width, height }} />
);

/** Figures over their names to come, side by side. */
export function SkeletonFigures({ count }: { count: number }) {
  const late = useDelayed(true);
  return Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the figures are all alike.
    <div key={index} aria-hidden>
      {late && (
        <>
          <Bone width={52} height={16} />
          <Bone width={74} height={9} />
        </>
      )}
    </div>
  ));
}

/** A text to come: its title, then paragraphs. */
export function SkeletonText({ lines = [3, 4, 3], ...rest }: SkeletonProps & { lines?: readonly number[] }) {
  const late = useDelayed(true);
  return (
    <div {...announced(rest)} className={css.text}>
      {late && (
        <>
          <Bone width="46%" height={20} />
          {lines.map((count, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs keep their place.
            <div key={at}>
              {Array.from({ length: count }, (_, line) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: so do lines.
                <Bone key={line} width={line === count - 1 ? "58%" : `${100 - ((line * 7) % 5)}%`} />
              ))}
            </div>
          ))}
        </>
      )}
    </div>
  );
}

/** Passages to come, each a title over some lines. */
export function SkeletonPassages({ rows = 6, ...rest }: SkeletonProps & { rows?: number }) {
  const late = useDelayed(true);
  return (
    <div {...announced(rest)} className={css.passages}>
      {late &&
        Array.from({ length: rows }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the passages are all alike.
          <div key={index}>
            <Bone width={`${44 + ((index * 11) % 20)}%`} height={11} />
            <Bone width="98%" />
            <Bone width="92%" />
            <Bone width={`${40 + ((index * 17) % 30)}%`} />
          </div>
        ))}
    </div>
  );
}

/** Rows to come, at their final height; they show after 300 ms so that a fast answer does not flicker. */
export function SkeletonRows({
  rows = 6,
  height = 36,
  bare,
  ...rest
}: SkeletonProps & {
  rows?: number;
  height?: number;
  /** Words alone, without an icon before them or a figure behind them. */
  bare?: boolean;
}) {
  const late = useDelayed(true);
  return (
    <div {...announced(rest)} className={css.rows}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike.
        <div key={index} className="row" style={{ height }}>
          {late && (
            <>
              {!bare && <Bone width={26} height={Math.min(20, height - 10)} />}
              <Bone width={`${34 + ((index * 17) % 30)}%`} />
              {!bare && <span className="skel end" style={{ width: 44 }} />}
            </>
          )}
        </div>
      ))}
    </div>
  );
}

type EmptyStateProps = {
  /** One sentence. */
  title: string;
  /** Why, or what will stand here. */
  detail?: ReactNode;
  /** One action. */
  action?: ReactNode;
  icon?: ReactNode;
};

/** Nothing to show: one sentence, one action. */
export function EmptyState({ title, detail, action, icon }: EmptyStateProps) {
  return (
    <div className="state">
      <span className="mut">{icon ?? <IconCircleDashed aria-hidden />}</span>
      <b>{title}</b>
      {detail && <span className="sec sm">{detail}</span>}
      {action && <div className={`row gap-6 wrap ${css.action}`}>{action}</div>}
    </div>
  );
}

type ErrorStateProps = {
  error: { code: string; message: string };
  onRetry?: () => void;
  /** The cure beyond trying again, such as opening the settings. */
  onCure?: (explained: Explained) => void;
};

/** A message without its full stop, to tell whether it only repeats the title. */
const bare = (words: string) => words.replace(/\.$/, "").toLowerCase();

/** A failure where it happened, in words, with what can be done. */
export function ErrorState({ error, onRetry, onCure }: ErrorStateProps) {
  const explained = explain(error);
  return (
    <div className="state" role="alert">
      <span className="c-bad">
        <IconCircleX aria-hidden />
      </span>
      <b>{explained.title}</b>
      {bare(explained.message) !== bare(explained.title) && (
        <span className="sec sm">{visible(explained.message)}</span>
      )}
      <div className={`row gap-6 wrap ${css.action}`}>
        {onRetry && (
          <Button size="small" onClick={onRetry}>
            {t("errors.cure.retry")}
          </Button>
        )}
        {onCure && explained.action && explained.cure !== "retry" && (
          <Button size="small" tone={onRetry ? "quiet" : "default"} onClick={() => onCure(explained)}>
            {explained.action}
          </Button>
        )}
      </div>
    </div>
  );
}

type QueryLike<T> = {
  data: T | undefined;
  error: { code: string; message: string } | null;
  isPending: boolean;
  /** A query that is switched off is pending, and idle. */
  fetchStatus?: string;
  refetch: () => unknown;
};

type NotLoadedProps = {
  query: Omit<QueryLike<unknown>, "isPending">;
  title?: string;
  /** Nothing can be pressed where it stands. */
  inert?: boolean;
};

/** Says in a line what could not be loaded, where other things stand beside it; nothing where it is there or on its way. */
export function NotLoaded({ query, title, inert }: NotLoadedProps) {
  if (query.data !== undefined || !query.error) return null;
  const explained = explain(query.error);
  return (
    <div role="alert">
      <Note kind="bad">
        <b>{title ?? explained.title}</b> {visible(explained.message)}{" "}
        {!inert && (
          <Button size="tiny" onClick={() => void query.refetch()}>
            {t("errors.cure.retry")}
          </Button>
        )}
      </Note>
    </div>
  );
}

type LoadedProps<T> = {
  query: QueryLike<T>;
  /** Stands there while loading. */
  skeleton?: ReactNode;
  onCure?: (explained: Explained) => void;
  children: (data: T) => ReactNode;
};

/** The answer of a query, or its skeleton, or its failure. An old answer stays while a new one is on its way. */
export function Loaded<T>({ query, skeleton, onCure, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} onCure={onCure} />;
  return query.isPending && query.fetchStatus !== "idle" ? (skeleton ?? <SkeletonRows />) : null;
}
