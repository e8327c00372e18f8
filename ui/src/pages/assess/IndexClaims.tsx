import { IconExternalLink } from "@tabler/icons-react";
import type { IndexClaim } from "@/api/types";
import { Button } from "@/kit/Button";
import { pagesOf } from "@/parts/cited";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import { inert, visible } from "@/text/visible";
import { opened, pagesNamed, stateWords } from "./claims";
import { EvidenceNumber } from "./ProposalFrame";
import css from "./pane.module.css";
import type { Evidence } from "./use-evidence";

/** Characters of an answer from which its end is cut. */
const LONG = 240;

type IndexClaimsProps = {
  claims: readonly IndexClaim[];
  /** The evidence that the claims were checked with; nothing where another proposal is shown. */
  evidence: Evidence | undefined;
};

/** What the report's own index says of the requirement. These are claims of the company, and look like no proposal. */
export function IndexClaims({ claims, evidence }: IndexClaimsProps) {
  if (claims.length === 0) return null;
  return (
    <>
      <div className={css.section}>
        <h3 className="nowrap">{t("assess.claims.title")}</h3>
        <span className="mut number">{claims.length}</span>
        <span className="mut sm ell">{t("assess.claims.about")}</span>
      </div>
      <ul className={css.list}>
        {claims.map((claim) => (
          <Claim key={`${claim.cited} ${claim.title} ${claim.words}`} claim={claim} evidence={evidence} />
        ))}
      </ul>
    </>
  );
}

function Claim({ claim, evidence }: { claim: IndexClaim; evidence: Evidence | undefined }) {
  const { cited, words, source, title, relation, row } = claim;
  const place = opened(claim);
  const rowPages =
    row.page === null
      ? undefined
      : pagesOf({
          pages: [row.page, row.page],
          page_labels: row.page_label === null ? null : [row.page_label, row.page_label],
        });
  return (
    <li className={css.evidence}>
      <div className="row gap-6">
        <b className="nowrap">{visible(cited)}</b>
        <span className="mut sm ell" data-tip={visible(title)}>
          {visible(title)}
        </span>
        {evidence && claim.evidence.map((at) => <EvidenceNumber key={at} at={at} evidence={evidence} />)}
        {place && (
          <span className="push">
            <Button
              size="tiny"
              icon={<IconExternalLink className="xs" aria-hidden />}
              aria-label={t("assess.claims.open_name", { what: pagesNamed(claim), code: visible(cited) })}
              onClick={() => navigate(href("chunk-lab", [], place))}
            >
              {t("assess.claims.open", { what: pagesNamed(claim) })}
            </Button>
          </span>
        )}
      </div>
      <p className={words.length > LONG ? css.cut : undefined}>
        “<bdi>{inert(words)}</bdi>”
        {rowPages && <span className="mut sm"> {t("assess.claims.row", { page: rowPages })}</span>}
      </p>
      <p className="sm">
        {stateWords(claim)} <span className="mut">{t(`assess.claims.relation.${relation}`)}</span>
      </p>
      {source !== null && <p className="mut xs">{t("assess.claims.by", { source: visible(source) })}</p>}
    </li>
  );
}
