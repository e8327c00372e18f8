import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { may } from "@/api/client";
import { useCommand } from "@/api/queries";
import type { SettingView } from "@/api/types";
import { Pane, Panes } from "@/kit/Panes";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { Loaded, SkeletonRows } from "@/kit/states";
import { PageHeader } from "@/parts/PageHeader";
import { href, useRoute } from "@/state/router";
import { t } from "@/text";
import { About } from "./About";
import { Answers } from "./Answers";
import { Appearance } from "./Appearance";
import { Mending } from "./Backups";
import { Data } from "./Data";
import { Declared } from "./Declared";
import { Keyboard } from "./Keyboard";
import { Language } from "./Language";
import { Logs } from "./Logs";
import css from "./layout.module.css";
import { type Declarations, Models } from "./Models";
import { Retrieval } from "./Retrieval";
import { Row } from "./Row";
import { Storage } from "./Storage";
import { SECTIONS, type SectionId, sectionsHere, spoken, unplaced } from "./sections";

/** A section counts as reached a little before its heading touches the edge. */
const NEAR = 60;

const FOCUSABLE = "input:not(:disabled), button:not(:disabled), [tabindex='0']";

const among = (root: ParentNode, name: "row" | "section", value: string) =>
  [...root.querySelectorAll<HTMLElement>(`[data-${name}]`)].find((each) => each.dataset[name] === value);

/** Brings what the address names into sight: a section, or one row of it. */
function reveal(root: ParentNode, [section = "", row = ""]: readonly string[]): void {
  const target = row === "" ? among(root, "section", section) : among(root, "row", row);
  if (!target) return;
  target.scrollIntoView({ block: row === "" ? "start" : "center" });
  if (row === "") return;
  const chosen = target.querySelector<HTMLElement>("[tabindex='0'], [aria-checked=true]");
  (chosen ?? target.querySelector<HTMLElement>(FOCUSABLE))?.focus({ preventScroll: true });
}

function Section({ id, children }: { id: SectionId; children: ReactNode }) {
  const title = t(`settings.section.${id}`);
  return (
    <section className={css.section} aria-label={title} data-section={id}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Advanced({ settings }: { settings: readonly SettingView[] }) {
  return settings.map((view) => (
    <Row
      key={view.param.name}
      id={view.param.name}
      title={spoken(view.param.name)}
      note={view.param.description}
    >
      <Declared view={view} label={spoken(view.param.name)} unit={view.param.unit} />
    </Row>
  ));
}

function Body({ settings }: { settings: readonly SettingView[] }) {
  const named: Declarations = useMemo(
    () => new Map(settings.map((each) => [each.param.name, each])),
    [settings],
  );
  const others = unplaced(settings);
  return (
    <>
      <Section id="models">
        <Models settings={named} />
      </Section>
      {may("settings.set") && (
        <>
          <Section id="retrieval">
            <Retrieval settings={named} />
          </Section>
          <Section id="answers">
            <Answers settings={named} />
          </Section>
          <Section id="data">
            <Data settings={named} />
          </Section>
        </>
      )}
      <Section id="appearance">
        <Appearance />
      </Section>
      <Section id="keyboard">
        <Keyboard />
      </Section>
      <Section id="language">
        <Language />
      </Section>
      {may("settings.set") && others.length > 0 && (
        <Section id="advanced">
          <Advanced settings={others} />
        </Section>
      )}
      <Section id="about">
        <About />
      </Section>
    </>
  );
}

/** The sections that need no library. */
const UNREAD: readonly SectionId[] = ["data", "appearance", "keyboard"];

/** The sections where the library does not open. */
function Unread() {
  return (
    <>
      <Section id="data">
        <Mending />
      </Section>
      <Section id="appearance">
        <Appearance />
      </Section>
      <Section id="keyboard">
        <Keyboard />
      </Section>
    </>
  );
}

/** Whether the settings cannot be read since the library is damaged, and that can be mended here. */
function useUnread({ data, error }: { data: unknown; error: unknown }): boolean {
  const condition = useCommand("library.condition", {});
  const broken = condition.data?.state === "damaged" || condition.data?.state === "replaced";
  return data === undefined && error !== null && broken && may("library.rescue");
}

/** The section that stands at the top of what is scrolled, or the last one where there is no more to scroll. */
function sectionAt(scroller: HTMLElement): SectionId | undefined {
  const sections = [...scroller.querySelectorAll<HTMLElement>("[data-section]")];
  const { scrollTop, clientHeight, scrollHeight } = scroller;
  if (scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 1)
    return sections.at(-1)?.dataset.section as SectionId | undefined;
  const top = scroller.getBoundingClientRect().top + NEAR;
  const passed = sections.filter((each) => each.getBoundingClientRect().top <= top);
  return passed.at(-1)?.dataset.section as SectionId | undefined;
}

/** The screen. */
export default function SettingsPage() {
  const { path } = useRoute();
  const settings = useCommand("settings.get", {});
  const page = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  // Where a jump ended: a short section at the end never reaches the top, and is the chosen one all the same.
  const jumped = useRef<number>(undefined);
  const [here, setHere] = useState<SectionId>("models");
  const place = path.join("/");
  const unread = useUnread(settings);
  const ready = settings.data !== undefined || unread;
  const jump = useCallback((to: readonly string[]) => {
    if (!page.current) return;
    reveal(page.current, to);
    jumped.current = scroller.current?.scrollTop;
    const section = SECTIONS.find((each) => each.id === to[0]);
    if (section) setHere(section.id);
  }, []);
  useEffect(() => {
    if (ready && place !== "") jump(place.split("/"));
  }, [place, ready, jump]);
  const known = settings.data ?? [];
  const shown = sectionsHere().filter(({ id }) =>
    unread ? UNREAD.includes(id) : id !== "advanced" || unplaced(known).length > 0,
  );
  const current = shown.some(({ id }) => id === here) ? here : shown[0]?.id;
  const named = useMemo(() => new Map(known.map((each) => [each.param.name, each])), [known]);
  return (
    <div ref={page} className={css.page}>
      <PageHeader context={may("settings.set") ? t("settings.saved_note") : t("settings.served_note")} />
      <Panes id="settings">
        <Pane id="sections" label={t("settings.sections")} size={196} min={150} fold="start" sunken>
          <ScrollRegion as="nav" ways="down" className={css.sections} aria-label={t("settings.sections")}>
            {shown.map(({ id, icon: Icon, rows }) => {
              const to = id === "logs" ? [id, rows[0]] : [id];
              return (
                <a
                  key={id}
                  href={href("settings", to)}
                  className={id === current ? "on" : undefined}
                  aria-current={id === current ? "true" : undefined}
                  // The address may stand there already and would tell nobody.
                  onClick={() => jump(to)}
                >
                  <Icon className="small" aria-hidden />
                  {t(`settings.section.${id}`)}
                </a>
              );
            })}
          </ScrollRegion>
        </Pane>
        <Pane id="centre" label={t("pages.settings")}>
          <ScrollRegion
            ways="down"
            ref={scroller}
            className={css.scroll}
            label={t("pages.settings")}
            onScroll={(event) => {
              if (event.currentTarget.scrollTop === jumped.current) return;
              jumped.current = undefined;
              const at = sectionAt(event.currentTarget);
              if (at) setHere(at);
            }}
          >
            {unread ? (
              <Unread />
            ) : (
              <Loaded query={settings} skeleton={<SkeletonRows bare rows={9} height={56} />}>
                {(list) => <Body settings={list} />}
              </Loaded>
            )}
          </ScrollRegion>
        </Pane>
        {may("library.storage") && !unread && (
          <Pane id="aside" label={t("settings.storage.title")} size={372} min={260} fold="end" sunken>
            <Storage settings={named} />
            <Logs />
          </Pane>
        )}
      </Panes>
    </div>
  );
}
