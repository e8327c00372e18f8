import { IconCheck, IconEqualNot, IconExternalLink, IconTilde } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { FigureAgreement, FigureAlso, FigureElsewhere, FigurePassedOver } from "@/api/types";
import { Button } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { tip } from "@/kit/Tooltip";
import { navigate } from "@/state/router";
import { t } from "@/text";
import { visible } from "@/text/visible";
import css from "./elsewhere.module.css";
import { figurePlace, pageOf, printedOf } from "./figures";

const LOOK: Record<FigureAgreement, { Icon: typeof IconCheck; tone: string }> = {
  agrees: { Icon: IconCheck, tone: "c-ok" },
  rounded: { Icon: IconTilde, tone: "c-ok" },
  differs: { Icon: IconEqualNot, tone: "c-warn" },
};

const keyOf = ({ document_id, span }: FigureElsewhere): string => `${document_id} ${span}`;

/** Other places that state a figure of the answer, each with how it agrees. */
export function AlsoStated({ also }: { also: readonly FigureAlso[] }) {
  if (also.length === 0) return null;
  return (
    <Group name={t("ask.figures.also")}>
      {also.map(({ figure, agreement }) => {
        const { Icon, tone } = LOOK[agreement];
        return (
          <li key={keyOf(figure)} className={css.item}>
            <Head name={figure.title} figure={figure}>
              <Icon className={`small ${tone}`} aria-hidden />
            </Head>
            <div className="row between">
              <Name figure={figure} />
              <b className="number nowrap">
                <bdi>{visible(printedOf(figure))}</bdi>
              </b>
            </div>
            <Foot figure={figure}>{t(`ask.figures.agreement.${agreement}`)}</Foot>
          </li>
        );
      })}
    </Group>
  );
}

/** Figures that were looked at and are others than the one that is asked for, each with what it is another in. */
export function PassedOver({ over }: { over: readonly FigurePassedOver[] }) {
  if (over.length === 0) return null;
  return (
    <Group name={t("ask.figures.passed_over")}>
      {over.map(({ figure, other }) => (
        <li key={keyOf(figure)} className={css.item}>
          <Head quiet name={nameOf(figure)} figure={figure} />
          <Foot figure={figure}>{`${figure.title} · ${t(`ask.figures.other.${other}`)}`}</Foot>
        </li>
      ))}
    </Group>
  );
}

function Group({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section aria-label={name}>
      <h3 className={`lab ${css.title}`}>{name}</h3>
      <ul className={css.list}>{children}</ul>
    </section>
  );
}

const nameOf = ({ name, period }: FigureElsewhere): string => [name, period].filter(Boolean).join(", ");

function Name({ figure }: { figure: FigureElsewhere }) {
  const name = visible(nameOf(figure));
  return (
    <span className="sec ell" {...tip(name)}>
      <bdi>{name}</bdi>
    </span>
  );
}

type HeadProps = { name: string; figure: FigureElsewhere; quiet?: boolean; children?: ReactNode };

function Head({ name, figure, quiet, children }: HeadProps) {
  return (
    <div className="row">
      {children}
      <b className={classes("ell", quiet && css.quiet)} {...tip(visible(name))}>
        <bdi>{visible(name)}</bdi>
      </b>
      <span className={`mut xs nowrap ${css.end}`}>{pageOf(figure)}</span>
    </div>
  );
}

/** What is said of a figure, and the way to its place. */
function Foot({ figure, children }: { figure: FigureElsewhere; children: string }) {
  const name = [nameOf(figure), figure.title, pageOf(figure)].filter(Boolean).join(", ");
  return (
    <div className="row between">
      <span className="xs mut">
        <bdi>{visible(children)}</bdi>
      </span>
      <Button
        size="tiny"
        tone="quiet"
        aria-label={t("ask.sources.open_named", { name })}
        icon={<IconExternalLink className="xs" aria-hidden />}
        onClick={() => navigate(figurePlace(figure))}
      >
        {t("ask.sources.open")}
      </Button>
    </div>
  );
}
