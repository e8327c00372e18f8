import type { Edition, StandardPage, StandardVersion } from "@/api/types";
import { Note } from "@/kit/Note";
import { Tag } from "@/kit/Pill";
import { t } from "@/text";
import { Prose, type ProseProps } from "./Prose";
import css from "./versions.module.css";

/** An edition in the words of the reader. */
export const editionName = (edition: Edition): string => t(`standards.editions.${edition}`);

type VersionsProps = ProseProps & { page: StandardPage };

/** What the editions of IFRS S2 say of a paragraph on which they differ, side by side, with the differences in words. */
export function Versions({ page, ...prose }: VersionsProps) {
  const [first] = page.versions;
  if (!first) return null;
  if (page.versions.length === 1)
    return (
      <>
        <Note kind="info">{t("standards.only_in", { edition: editionName(first.edition) })}</Note>
        <Remarks version={first} {...prose} />
      </>
    );
  return (
    <section className={css.versions} aria-label={t("standards.both_editions")}>
      {page.versions.map((version) => (
        <Version key={version.edition} version={version} shown={page.editions} {...prose} />
      ))}
    </section>
  );
}

type VersionProps = ProseProps & { version: StandardVersion; shown: readonly Edition[] };

function Version({ version, shown, ...prose }: VersionProps) {
  return (
    <section className={css.version} aria-label={editionName(version.edition)}>
      <div className="row gap-6 wrap">
        <b>{editionName(version.edition)}</b>
        {shown.includes(version.edition) && <Tag>{t("standards.edition_chosen")}</Tag>}
      </div>
      <Remarks version={version} {...prose} />
      <div className={css.prose} lang="en">
        {version.prose.split("\n\n").map((paragraph) => (
          <p key={paragraph}>
            <Prose text={paragraph} {...prose} />
          </p>
        ))}
        {version.items.map((item) => (
          <p key={item.id}>
            <b>{item.number}</b> <Prose text={item.prose} {...prose} />
          </p>
        ))}
      </div>
    </section>
  );
}

/** What an edition changes and what its sources leave open. */
function Remarks({ version, ...prose }: ProseProps & { version: StandardVersion }) {
  return (
    <>
      {version.changed !== null && (
        <Note kind="info">
          <b>{t("standards.changed")}</b> <Prose text={version.changed} {...prose} />
        </Note>
      )}
      {version.not_settled !== null && (
        <Note kind="warn">
          <b>{t("standards.not_settled")}</b> <Prose text={version.not_settled} {...prose} />
        </Note>
      )}
    </>
  );
}
