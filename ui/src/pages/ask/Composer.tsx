import {
  IconArrowBackUp,
  IconArrowUp,
  IconClipboardText,
  IconSquare,
  IconTextScan2,
} from "@tabler/icons-react";
import { type Ref, useImperativeHandle, useLayoutEffect, useMemo, useRef } from "react";
import { useCommand } from "@/api/queries";
import { useReportDocuments } from "@/api/row-pages";
import type { GeneratorView } from "@/api/types";
import { Button } from "@/kit/Button";
import { Kbd } from "@/kit/Kbd";
import { Menu } from "@/kit/Menu";
import { Note } from "@/kit/Note";
import { Pill } from "@/kit/Pill";
import { Popover } from "@/kit/Popover";
import { NotLoaded } from "@/kit/states";
import { tip } from "@/kit/Tooltip";
import { ChatModelSheet } from "@/parts/ChatModelSheet";
import { madeBy } from "@/parts/DocumentName";
import { type FilterChoice, FilterPill, FilterSheet } from "@/parts/FilterPill";
import { t, text } from "@/text";
import { visible } from "@/text/visible";
import css from "./composer.module.css";
import type { Place } from "./state";

/** Pixels of the question box at most. */
const TALLEST = 160;
/** Pixels of the sheet of chat models. */
const MODELS_WIDTH = 480;

/** What another part of the screen can ask of the question box. */
export type ComposerHandle = { focus: () => void };

type ComposerProps = {
  place: Place;
  change: (part: Partial<Place>) => void;
  generators: readonly GeneratorView[];
  /** What will write; nothing where that is not known yet. */
  generator: GeneratorView | undefined;
  /** The question that the next one may follow. */
  earlier: string | undefined;
  /** An answer is on its way. */
  pending: boolean;
  /** Estimated tokens of the selected text, where one is asked about. */
  selected: number | undefined;
  /** Why nothing was asked. */
  refusal: string | undefined;
  onAsk: () => void;
  onStop: () => void;
  onPaste: () => void;
  onLeave: () => void;
  ref?: Ref<ComposerHandle>;
};

/** The question box with what it asks of, and what will write the answer. */
export function Composer(props: ComposerProps) {
  const { place, change, generator, earlier, pending, selected, refusal, onAsk, onStop } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(props.ref, () => ({ focus: () => field.current?.focus() }), []);
  const { draft } = place;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another height.
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(TALLEST, element.scrollHeight)}px`;
  }, [draft]);
  const hint =
    selected !== undefined
      ? "ask.composer.selection"
      : earlier !== undefined && place.follow
        ? "ask.composer.follow_up"
        : "ask.composer.placeholder";
  return (
    <div className={css.composer} data-composer>
      {refusal !== undefined && (
        <div role="alert">
          <Note kind="warn">{refusal}</Note>
        </div>
      )}
      <div className={css.box}>
        <textarea
          ref={field}
          rows={1}
          className={css.question}
          aria-label={t("ask.composer.question")}
          placeholder={t(hint)}
          value={draft}
          onChange={(event) => change({ draft: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === "Enter" && !event.shiftKey) {
              event.preventDefault();
              onAsk();
            } else if (event.key === "Escape") {
              if (pending) onStop();
              else field.current?.closest<HTMLElement>("[data-pane]")?.focus();
            }
          }}
        />
        <div className="row gap-6 wrap">
          <AskedOf {...props} />
          <span className={`row gap-6 ${css.end}`}>
            <GeneratorChoice {...props} />
            {pending ? (
              <Button size="small" icon={<IconSquare className="small" aria-hidden />} onClick={onStop}>
                {t("ask.stop")} <Kbd keys="escape" />
              </Button>
            ) : (
              <Button
                size="small"
                tone="primary"
                icon={<IconArrowUp className="small" aria-hidden />}
                onClick={onAsk}
              >
                {t("ask.ask")}
              </Button>
            )}
          </span>
        </div>
      </div>
      {generator?.remote && (
        <p className={`xs mut ${css.leaves}`}>
          {t("ask.generator.leaves", { model: visible(place.model ?? generator.model ?? generator.name) })}
        </p>
      )}
    </div>
  );
}

/** What is asked of: documents or a selected text, and whether the question before is followed. */
function AskedOf({ place, change, earlier, selected, onPaste, onLeave }: ComposerProps) {
  return (
    <>
      {selected !== undefined ? (
        <Pill
          active
          icon={<IconTextScan2 className="xs" aria-hidden />}
          label={t("ask.composer.selected", { count: selected })}
          onClick={onPaste}
          onRemove={onLeave}
          removeLabel={t("ask.selection.leave")}
        />
      ) : (
        <>
          <Scope name="corpora" values={place.corpora} onChange={(corpora) => change({ corpora })} />
          <Scope name="reports" values={place.reports} onChange={(reports) => change({ reports })} />
          <Pill
            icon={<IconClipboardText className="xs" aria-hidden />}
            label={t("ask.composer.paste")}
            onClick={onPaste}
            {...tip(t("ask.composer.paste_note"))}
          />
        </>
      )}
      {earlier !== undefined && selected === undefined && (
        <Pill
          active={place.follow}
          icon={<IconArrowBackUp className="xs" aria-hidden />}
          label={t("ask.composer.follows")}
          onClick={() => change({ follow: !place.follow })}
          {...tip(
            t(place.follow ? "ask.composer.follows_on" : "ask.composer.follows_off", {
              question: earlier,
            }),
          )}
        />
      )}
    </>
  );
}

/** What writes, in a few words. */
const generatorName = (generator: GeneratorView): string =>
  text(`ask.generator.${generator.name}`) ?? visible(generator.name);

function GeneratorChoice({ place, change, generators, generator }: ComposerProps) {
  if (!generator) return null;
  const name = generatorName(generator);
  const model = generator.model && visible(place.model ?? generator.model);
  const remote = generators.some((each) => each.remote && each.unavailable === "");
  return (
    <>
      {remote && generator.remote && (
        <Pill
          active={place.second}
          label={t("ask.generator.second")}
          onClick={() => change({ second: !place.second })}
          {...tip(t("ask.generator.second_note"))}
        />
      )}
      {model && (
        <Popover
          label={t("chat_models.title")}
          width={MODELS_WIDTH}
          position="top-end"
          button={(open, toggle) => (
            <Pill
              menu
              label={t("ask.generator.model")}
              value={<span className={css.writer}>{model}</span>}
              active={place.model !== undefined}
              aria-expanded={open}
              aria-haspopup="dialog"
              onClick={toggle}
              onRemove={place.model === undefined ? undefined : () => change({ model: undefined })}
              removeLabel={t("ask.generator.own_model")}
            />
          )}
        >
          {(close) => (
            <ChatModelSheet
              value={place.model ?? generator.model ?? ""}
              onChoose={(id) => {
                change({ model: id === generator.model ? undefined : id });
                close();
              }}
            />
          )}
        </Popover>
      )}
      <Menu
        label={t("ask.generator.title")}
        position="top-end"
        entries={generators.map((each) => ({
          label: (
            <span className={css.choice}>
              <span>
                {generatorName(each)}
                {each.model && ` · ${visible(each.model)}`}
              </span>
              <span className="xs mut">{visible(each.unavailable || each.description)}</span>
            </span>
          ),
          checked: each.name === generator.name,
          disabled: each.unavailable !== "",
          onClick: () => change({ generator: each.default ? undefined : each.name }),
        }))}
      >
        <Pill menu label={t("ask.generator.by")} value={name} aria-haspopup="menu" />
      </Menu>
    </>
  );
}

type ScopeProps = {
  name: "corpora" | "reports";
  values: readonly string[];
  onChange: (values: string[]) => void;
};

/** A restriction of what is searched. */
function Scope({ name, values, onChange }: ScopeProps) {
  const overview = useCommand("library.overview", {}, { enabled: name === "corpora" });
  const documents = useReportDocuments(name === "reports");
  const choices = useMemo(() => {
    const known = new Map<string, FilterChoice>(values.map((value) => [value, { value, label: value }]));
    if (name === "corpora")
      for (const { corpus } of overview.data?.corpora ?? [])
        known.set(corpus.name, { value: corpus.name, label: corpus.name });
    else
      for (const row of documents.rows)
        if (row.report_id !== null)
          known.set(row.report_id, {
            value: row.report_id,
            label: row.title || row.report_id,
            detail: madeBy(row),
          });
    return [...known.values()];
  }, [name, values, overview.data, documents.rows]);
  const label = t(`search.filters.${name}`);
  return (
    <FilterPill
      label={label}
      values={values}
      nameOf={(value) => choices.find((each) => each.value === value)?.label ?? value}
      total={name === "corpora" ? choices.length : 0}
      onClear={() => onChange([])}
    >
      {() => (
        <FilterSheet label={label} choices={choices} values={values} onChange={onChange}>
          <NotLoaded query={name === "corpora" ? overview : documents.query} />
        </FilterSheet>
      )}
    </FilterPill>
  );
}
