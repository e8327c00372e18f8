import { IconVectorTriangle } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import { may } from "@/api/client";
import { useCommand } from "@/api/queries";
import type { ModelView, Overview, SettingView } from "@/api/types";
import { Button } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { Meter } from "@/kit/Meter";
import { Note } from "@/kit/Note";
import { Tag } from "@/kit/Pill";
import { Status } from "@/kit/Status";
import { EmptyState, Loaded, NotLoaded, SkeletonRows } from "@/kit/states";
import { embedRest } from "@/state/embed-rest";
import { t } from "@/text";
import { cost, percent } from "@/text/format";
import { type Covered, coverageOf, isShort } from "./coverage";
import { Declared, DOLLARS, Saved, useSaving } from "./Declared";
import css from "./models.module.css";
import { isLocal, providersOf } from "./providers";
import { Below, Row, Wrong } from "./Row";
import { Secret } from "./Secret";
import type { RowId } from "./sections";
import shared from "./shared.module.css";

/** Settings by name. */
export type Declarations = ReadonlyMap<string, SettingView>;

type OptionProps = { on: boolean; title: ReactNode; tag: string; detail: string };

function Option({
  on,
  title,
  tag,
  detail,
  onChoose,
  onMove,
}: OptionProps & { onChoose: () => void; onMove: () => void }) {
  return (
    <button
      type="button"
      role="radio"
      aria-checked={on}
      tabIndex={on ? 0 : -1}
      className={classes("choice", css.option, on && "on")}
      onClick={onChoose}
      onKeyDown={(event) => {
        if (!event.key.startsWith("Arrow")) return;
        event.preventDefault();
        onMove();
      }}
    >
      <span className="dot" />
      <span className="grow">
        <span className="row gap-6">
          <b className="ell">{title}</b>
          <Tag>{tag}</Tag>
        </span>
        <span className={`xs mut ${css.optionDetail}`}>{detail}</span>
      </span>
    </button>
  );
}

/** Whether a provider's model works beside those that ship inside. */
function Choice({ settings, models }: { settings: Declarations; models: readonly ModelView[] }) {
  const root = useRef<HTMLDivElement>(null);
  const remote = settings.get("remote_embedding");
  const saving = useSaving("remote_embedding");
  const keys = useCommand("secret.status", {});
  if (!remote) return null;
  const on = remote.value === true;
  const choose = (next: boolean) => {
    if (next !== on) saving.save(next);
  };
  const move = (next: boolean) => {
    choose(next);
    root.current?.querySelectorAll<HTMLElement>("[role=radio]")[next ? 0 : 1]?.focus();
  };
  const inside = models.find((each) => each.space.tier === "embedded")?.space;
  const price = Number(settings.get("price_per_million_tokens")?.value ?? 0) / DOLLARS.per;
  const waits = providersOf(settings, keys.data).embedding.reach === "keyless";
  return (
    <Row id="remote_embedding" title={t("settings.row.remote_embedding")} note={remote.param.description}>
      <div
        ref={root}
        className={css.options}
        role="radiogroup"
        aria-label={t("settings.models.choice")}
        aria-busy={saving.pending}
      >
        <Option
          on={on}
          title={String(settings.get("embedding_model")?.value ?? "")
            .split("/")
            .at(-1)}
          tag={t("settings.models.online")}
          detail={t("settings.models.remote_detail", {
            dimensions: String(settings.get("embedding_dimensions")?.value ?? ""),
            price: cost(price),
          })}
          onChoose={() => choose(true)}
          onMove={() => move(false)}
        />
        <Option
          on={!on}
          title={inside?.model ?? t("settings.models.built_in")}
          tag={t("settings.models.offline")}
          detail={t("settings.models.built_in_detail", { dimensions: String(inside?.dimensions ?? "") })}
          onChoose={() => choose(false)}
          onMove={() => move(true)}
        />
      </div>
      <div className={`row gap-6 ${shared.below}`}>
        <span className="xs mut">{t("settings.models.both")}</span>
        <Saved shown={saving.saved} />
      </div>
      {waits && <Note kind="warn">{t("settings.models.needs_key")}</Note>}
      {saving.problem && <Wrong>{saving.problem}</Wrong>}
    </Row>
  );
}

function Model({ model }: { model: Covered }) {
  const { covered, chunks } = model;
  const share = covered !== undefined && chunks > 0 ? covered / chunks : undefined;
  return (
    <li className={css.model}>
      <div className="row gap-6">
        <b className="ell" data-tip={model.model}>
          {model.model}
        </b>
        <Tag>{t(`settings.models.${model.tier === "remote" ? "online" : "offline"}`)}</Tag>
        <span className="push" />
        <Status kind={model.served ? "ok" : "off"}>
          {t(model.served ? "settings.models.served" : "settings.models.unserved")}
        </Status>
      </div>
      <div className="row gap-6 xs mut number">
        <span>{t("settings.models.dimensions", { count: model.dimensions })}</span>
        <span>{t("settings.models.vectors", { count: model.vectors })}</span>
        <span className="push" />
        {share !== undefined && (
          <>
            <span>{t("settings.models.covered", { covered: covered ?? 0, chunks })}</span>
            <Meter
              label={t("settings.models.coverage_of", { model: model.model })}
              value={share}
              tone={share < 1 ? "accent" : "base"}
              width={96}
            />
            <span className={css.share}>{percent(share)}</span>
          </>
        )}
      </div>
      <div className="xs mut">{t(`settings.models.tiers.${model.tier}`)}</div>
    </li>
  );
}

function Coverage({ models, overview }: { models: readonly ModelView[]; overview: Overview | undefined }) {
  const queries = useQueryClient();
  const list = coverageOf(models, overview);
  const missing = list.some(isShort);
  if (list.length === 0) return <EmptyState title={t("settings.models.none")} />;
  return (
    <>
      <ul className={css.models} aria-label={t("settings.row.coverage")}>
        {list.map((each) => (
          <Model key={each.space} model={each} />
        ))}
      </ul>
      <div className={`row gap-6 wrap ${shared.below}`}>
        <Button
          size="small"
          icon={<IconVectorTriangle className="small" aria-hidden />}
          disabled={!missing}
          onClick={() => void embedRest(queries)}
        >
          {t("settings.models.embed")}
        </Button>
        <span className="xs mut">{t(missing ? "settings.models.missing" : "settings.models.complete")}</span>
      </div>
    </>
  );
}

/** Keys and models: what makes vectors, and of how much there are some. */
export function Models({ settings }: { settings: Declarations }) {
  const models = useCommand("model.list", {});
  const overview = useCommand("library.overview", {});
  const field = (
    name: RowId | "embedding_dimensions",
    rest: Partial<Parameters<typeof Declared>[0]> = {},
  ): ReactNode => {
    const view = settings.get(name);
    return (
      view && <Declared view={view} label={t(`settings.row.${name}`)} unit={view.param.unit} {...rest} />
    );
  };
  const note = (name: string) => settings.get(name)?.param.description;
  return (
    <>
      {may("settings.set") && (
        <>
          <Secret secret="openrouter" local={isLocal(String(settings.get("base_url")?.value ?? ""))} />
          <Choice settings={settings} models={models.data ?? []} />
          <Row id="base_url" title={t("settings.row.base_url")}>
            {field("base_url")}
            <Below>{note("base_url")}</Below>
          </Row>
          <Row id="embedding_model" title={t("settings.row.embedding_model")}>
            <div className={css.pair}>
              {field("embedding_model")}
              {field("embedding_dimensions", { width: 72 })}
            </div>
            <Below>
              {note("embedding_model")} {note("embedding_dimensions")}
            </Below>
          </Row>
          <Row id="batch_pause" title={t("settings.row.batch_pause")}>
            {field("batch_pause")}
            <Below>{note("batch_pause")}</Below>
          </Row>
          <Row id="price_per_million_tokens" title={t("settings.row.price_per_million_tokens")}>
            {field("price_per_million_tokens", { scale: DOLLARS, unit: t("settings.models.price_suffix") })}
            <Below>{note("price_per_million_tokens")}</Below>
          </Row>
        </>
      )}
      <Row id="coverage" title={t("settings.row.coverage")}>
        <Loaded query={models} skeleton={<SkeletonRows bare rows={3} height={52} />}>
          {(list) => <Coverage models={list} overview={overview.data} />}
        </Loaded>
        <NotLoaded query={overview} />
      </Row>
    </>
  );
}
