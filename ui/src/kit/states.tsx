// What stands where there is nothing to show yet, nothing at all, or a failure.

import { IconCircleDashed, IconCircleX } from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import { t } from "@/text";
import { type Explained, explain } from "@/text/errors";
import { visible } from "@/text/visible";
import { Button } from "./Button";

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

/** Rows to come, at their final height; they show after 300 ms so that a fast answer does not flicker. */
export function SkeletonRows({
  rows = 6,
  height = 36,
  label,
}: {
  rows?: number;
  height?: number;
  label?: string;
}) {
  const late = useDelayed(true);
  return (
    <div role="status" aria-label={label ?? t("kit.loading")} aria-busy="true" className="skeletons">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike.
        <div key={index} className="row" style={{ height }}>
          {late && (
            <>
              <span className="skel" style={{ width: 26, height: 20 }} />
              <span className="skel" style={{ width: `${34 + ((index * 17) % 30)}%` }} />
              <span className="skel end" style={{ width: 44 }} />
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
      {action && <div className="row g6">{action}</div>}
    </div>
  );
}

type ErrorStateProps = {
  error: { code: string; message: string };
  onRetry?: () => void;
  /** The cure beyond trying again, such as opening the settings. */
  onCure?: (explained: Explained) => void;
};

/** A failure where it happened, in words, with what can be done. */
export function ErrorState({ error, onRetry, onCure }: ErrorStateProps) {
  const explained = explain(error);
  return (
    <div className="state" role="alert">
      <span className="c-bad">
        <IconCircleX aria-hidden />
      </span>
      <b>{explained.title}</b>
      <span className="sec sm">{visible(explained.message)}</span>
      <div className="row g6">
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
