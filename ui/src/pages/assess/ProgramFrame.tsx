import { IconExternalLink, IconPlug } from "@tabler/icons-react";
import { may } from "@/api/client";
import type { ProgramProposal, ProposedQuote, Review } from "@/api/types";
import { Button } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { Note } from "@/kit/Note";
import { ChangedTag } from "@/parts/ChangedTag";
import { citedPage } from "@/parts/cited";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import { moment, sentence } from "@/text/format";
import { inert, visible } from "@/text/visible";
import css from "./pane.module.css";
import { wordsOf } from "./passages";
import own from "./program.module.css";
import type { Programs } from "./use-programs";

type ProgramFrameProps = {
  proposal: ProgramProposal;
  /** The decision that stands. */
  review: Review | null;
  programs: Programs;
};

/** What a connected program proposes. It is no decision, and has none of the colours of one. */
export function ProgramFrame({ proposal, review, programs }: ProgramFrameProps) {
  const { program, finding, reason, quotes, made_at } = proposal;
  const name = visible(program);
  const error = programs.failed(proposal);
  return (
    <fieldset className={css.proposal}>
      <legend>
        <span className="row gap-4">
          <IconPlug className="xs" aria-hidden />
          {t("assess.program.by", { name })}
        </span>
      </legend>
      <div className="row gap-6">
        <b>{t("assess.program.finding", { finding: t(`assess.status.${finding}`) })}</b>
        <span className="mut number nowrap push">{moment(made_at)}</span>
      </div>
      <p className={own.reason}>
        <bdi>{inert(reason)}</bdi>
      </p>
      {quotes.length > 0 && (
        <ul aria-label={t("assess.program.quotes")}>
          {quotes.map((quote, at) => (
            <Quote key={`${quote.document_id} ${quote.span.join("-")}`} quote={quote} count={at + 1} />
          ))}
        </ul>
      )}
      {error && (
        <div role="alert">
          <Note kind="bad">{visible(sentence(error.message))}</Note>
        </div>
      )}
      {may("assess.confirm") && (
        <div className={`row gap-6 ${own.settle}`}>
          <Button
            size="tiny"
            disabled={programs.busy}
            aria-label={t("assess.program.confirm_name", { name, finding: t(`assess.status.${finding}`) })}
            onClick={() => void programs.confirm(proposal, review)}
          >
            {t("assess.program.confirm")}
          </Button>
          <Button
            size="tiny"
            tone="quiet"
            disabled={programs.busy}
            aria-label={t("assess.program.dismiss_name", { name })}
            onClick={() => void programs.dismiss(proposal)}
          >
            {t("assess.program.dismiss")}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

/** A quote, its page, and the way to its place as it is now. */
function Quote({ quote: { pin }, count }: { quote: ProposedQuote; count: number }) {
  const { page, page_label, path, source } = pin;
  const place = page === null ? visible(path) : t("assess.grid.p", { page: citedPage(page, page_label) });
  const open = () => {
    const span = source?.range?.join("-");
    if (!span) return;
    navigate(
      href("chunk-lab", [], { document: String(source?.document_id), view: "read", at: span, mark: span }),
    );
  };
  return (
    <li className={own.quote}>
      <div className="row gap-6">
        <b className="nowrap ell">{place}</b>
        <ChangedTag source={source} />
        {source?.range && (
          <span className="push">
            <Button
              size="tiny"
              tone="quiet"
              icon={<IconExternalLink className="xs" aria-hidden />}
              aria-label={t("assess.program.open_name", { count, place })}
              onClick={open}
            >
              {t("assess.program.open")}
            </Button>
          </span>
        )}
      </div>
      <p className={classes(source?.changed && source.range === null && own.lost)}>
        “<bdi>{wordsOf(pin)}</bdi>”
      </p>
    </li>
  );
}
