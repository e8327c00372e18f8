import { IconHash } from "@tabler/icons-react";
import { Fragment, memo } from "react";
import { useCommand } from "@/api/queries";
import type { ParsedQuery, Term } from "@/api/types";
import { Id } from "@/kit/Id";
import { Popover } from "@/kit/Popover";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { tip } from "@/kit/Tooltip";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import { upTo, whole } from "@/text/format";
import css from "./parsed-line.module.css";
import type { Found } from "./use-lab";

const TOKENS =
  /("(?:[^"]|"")*"\*?)|(\b(?:AND|OR|NOT|NEAR)\b)|(\b\w+\b(?=\s*:))|([^"]+?(?=\b(?:AND|OR|NOT|NEAR)\b|"|\b\w+\b\s*:|$))/g;

/** An FTS5 expression with its operators and columns set apart. */
export function Expression({ text }: { text: string }) {
  return (
    <bdi dir="ltr">
      {[...text.matchAll(TOKENS)].map((match) => (
        <Fragment key={match.index}>
          {match[2] ? (
            <span className="c-keyword">{match[2]}</span>
          ) : match[3] ? (
            <span className="json-key">{match[3]}</span>
          ) : (
            match[0]
          )}
        </Fragment>
      ))}
    </bdi>
  );
}

/** The paragraph above, such as `S2.14(a)` of `S2.14(a)(iv)`. */
const parentOf = (id: string): string | undefined => /^(.+)\([^()]+\)$/.exec(id)?.[1];

function fate(term: Term): string {
  switch (term.fate.kind) {
    case "corrected":
      return t("search.fate.corrected", { to: term.fate.to.join(", ") });
    case "expansion":
      return t("search.fate.expansion", { of: term.fate.of });
    default:
      return t(`search.fate.${term.fate.kind}`);
  }
}

/** Words named in the line; the others are counted. */
const NAMED = 2;

const names = (terms: readonly Term[]) => terms.map((term) => term.text).join(", ");

/** Words that the search added, with how each was treated. */
function Added({ label, terms }: { label: (words: string) => string; terms: readonly Term[] }) {
  if (terms.length === 0) return null;
  return (
    <span className="nowrap" {...tip(terms.map((term) => `${term.text}: ${fate(term)}`).join("\n"))}>
      {label(names(terms.slice(0, NAMED)))}
      {terms.length > NAMED && ` +${terms.length - NAMED}`}
    </span>
  );
}

const withFate = (query: ParsedQuery, kind: Term["fate"]["kind"]) =>
  query.terms.filter((term) => term.fate.kind === kind);

/** How the query was read: references, the expression that ran, and how each word was treated. */
export const ParsedLine = memo(function ParsedLine({ found }: { found: Found | undefined }) {
  const query = found?.response.trace.query;
  const reference = query?.references[0];
  const id = reference && reference.ids.length === 1 ? reference.ids[0] : undefined;
  const page = useCommand("standards.page", { id: id ?? "" }, { enabled: id !== undefined });
  if (!query) return <div className={css.parsed} />;
  const parent = id === undefined ? undefined : parentOf(id);
  const counterpart = page.data?.counterparts[0]?.id;
  const ignored = withFate(query, "stop_word");
  const frequent = withFate(query, "too_frequent");
  const beyond = withFate(query, "beyond");
  const unknown = withFate(query, "unknown");
  const corrected = withFate(query, "corrected");
  const added = withFate(query, "expansion");
  const fedBack = withFate(query, "feedback");
  return (
    <div className={css.parsed}>
      <Popover
        label={t("search.parsed.title")}
        width={540}
        button={(open, toggle) => (
          <button
            type="button"
            className={`lab ${css.parsedButton}`}
            aria-expanded={open}
            aria-haspopup="dialog"
            onClick={toggle}
          >
            {t("search.parsed.label")}
          </button>
        )}
      >
        {() => <Terms query={query} embedded={found.response.trace.embedded ?? undefined} />}
      </Popover>
      {query.references.map((each) => {
        const first = each.ids[0] ?? "";
        const shown = each.ids.length > 1 ? `${first} … ${each.ids.at(-1)}` : first;
        return (
          <button
            key={`${each.span.start}-${first}`}
            type="button"
            className={`chip on ${css.reference}`}
            {...tip(t("search.parsed.open", { id: first }))}
            onClick={() => navigate(href("standards", [first]))}
          >
            <IconHash className="xs" aria-hidden />
            <Id link>{shown}</Id>
          </button>
        );
      })}
      {(parent || counterpart) && (
        <span className="hide-s nowrap">
          {parent && (
            <>
              {t("search.parsed.parent")} <Id className="sec">{parent}</Id>
            </>
          )}
          {parent && counterpart && ", "}
          {counterpart && (
            <>
              {t("search.parsed.counterpart")} <Id className="sec">{counterpart}</Id>
            </>
          )}
        </span>
      )}
      {corrected.map((term) => (
        <span key={term.text} className="c-warn nowrap">
          <s>{term.text}</s> → {term.fate.kind === "corrected" && term.fate.to.join(", ")}
        </span>
      ))}
      <Added label={(words) => t("search.parsed.added", { words })} terms={added} />
      <Added label={(words) => t("search.parsed.fed_back", { words })} terms={fedBack} />
      {query.references.length + corrected.length + added.length + fedBack.length > 0 && (
        <span className="rule" />
      )}
      <span className="lab">FTS5</span>
      <span className={`mono xs ell ${css.expression}`} data-tip={query.match_expression}>
        {query.match_expression === "" ? (
          t("search.parsed.nothing")
        ) : (
          <Expression text={query.match_expression} />
        )}
      </span>
      <span
        className={`hide-s ell ${css.ignored}`}
        data-tip={names([...ignored, ...frequent, ...beyond, ...unknown])}
      >
        {ignored.length > 0 && t("search.parsed.ignored", { words: names(ignored) })}
        {frequent.length > 0 && ` ${t("search.parsed.frequent", { words: names(frequent) })}`}
        {beyond.length > 0 && ` ${t("search.parsed.beyond", { words: names(beyond) })}`}
        {unknown.length > 0 && (
          <span className="c-warn"> {t("search.parsed.unknown", { words: names(unknown) })}</span>
        )}
      </span>
    </div>
  );
});

/** Every word of the query with its stem, how often it occurs, and how it was treated. */
function Terms({ query, embedded }: { query: ParsedQuery; embedded: string | undefined }) {
  return (
    <ScrollRegion className={css.terms} label={t("search.parsed.title")}>
      <table className="compact">
        <thead>
          <tr>
            <th>{t("search.parsed.word")}</th>
            <th>{t("search.parsed.stem")}</th>
            <th className="align-end">{t("search.parsed.chunks")}</th>
            <th className="align-end">{t("search.thesaurus.weight")}</th>
            <th>{t("search.parsed.fate")}</th>
          </tr>
        </thead>
        <tbody>
          {query.terms.map((term) => (
            <tr key={`${term.text}-${term.stem}-${term.fate.kind}`}>
              <td>{term.text}</td>
              <td className="mono nowrap">{term.stem}</td>
              <td className="align-end number">{whole(term.document_frequency)}</td>
              <td className="align-end number">{upTo(term.weight, 2)}</td>
              <td className="sec nowrap">{fate(term)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {embedded !== undefined && (
        <p className={css.embedded}>
          <span className="lab">{t("search.parsed.embedded")}</span> <bdi>{embedded}</bdi>
        </p>
      )}
      {query.match_expression !== "" && (
        <pre className={css.full}>
          <Expression text={query.match_expression} />
        </pre>
      )}
    </ScrollRegion>
  );
}
