import { IconHistory } from "@tabler/icons-react";
import type { SourceNow } from "@/api/types";
import { tip } from "@/kit/Tooltip";
import { t } from "@/text";

/** What to say of a source that has changed since it was cited; nothing where it has not. */
export function changeOf(source: SourceNow | undefined): string | undefined {
  if (!source?.changed) return undefined;
  if (source.document_id === null) return t("hit.changed.gone");
  return t(source.range === null ? "hit.changed.no_quote" : "hit.changed.note");
}

/** Says that a document has changed since it was cited; nothing where it has not. */
export function ChangedTag({ source }: { source: SourceNow | undefined }) {
  const change = changeOf(source);
  if (change === undefined) return null;
  return (
    <span className="row gap-4 xs c-warn nowrap" {...tip(change)}>
      <IconHistory className="xs" aria-hidden />
      {t("hit.changed.tag")}
    </span>
  );
}
