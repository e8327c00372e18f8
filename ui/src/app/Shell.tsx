// The window around the pages.

import { IconKeyboard, IconLineHeight, IconPalette } from "@tabler/icons-react";
import { lazy, Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useState } from "react";
import { may } from "@/api/client";
import { useWorkspace } from "@/api/queries";
import { quit } from "@/api/shell";
import { toggleChartTables } from "@/kit/chart-tables";
import { combination, enterScreen, handleKey, useShortcut } from "@/kit/shortcuts";
import { SkeletonRows } from "@/kit/states";
import { TooltipLayer } from "@/kit/Tooltip";
import { HeaderContext } from "@/parts/PageHeader";
import { addressOf } from "@/state/links";
import type { Page } from "@/state/page";
import { matches, type PaletteItem, type PaletteSource } from "@/state/palette-sources";
import { setPreferences } from "@/state/preferences";
import { href, navigate, parseRoute, useRoute } from "@/state/router";
import { toast } from "@/state/toasts";
import { useLostWorkspace } from "@/state/workspace";
import { t } from "@/text";
import { Boundary } from "./boundary";
import { Condition } from "./Condition";
import { EmbedQuestion } from "./EmbedQuestion";
import { ErrorDialog } from "./ErrorDialog";
import { walkPanes } from "./focus";
import { useJobKeys } from "./job-keys";
import { KeyboardMap } from "./keyboard-map";
import { useJobNews } from "./news";
import { followLink, LinkQuestion, useOpenedLinks } from "./OpenedLinks";
import { Palette } from "./palette";
import { usePaletteLibrary } from "./palette-library";
import { Rail } from "./Rail";
import { StatusBar } from "./StatusBar";
import css from "./shell.module.css";
import { isBlocked } from "./shortcuts";
import { Toasts } from "./Toasts";
import { TopBar } from "./TopBar";
import { Workspaces } from "./workspaces";

function shellSource(pages: readonly Page[], showKeys: () => void): PaletteSource {
  const commands: PaletteItem[] = [
    ...pages.map((page, index) => ({
      key: page.id,
      label: t("palette.go", { page: t(page.title) }),
      keys: `mod+${index + 1}`,
      icon: <page.icon className="small" aria-hidden />,
      run: () => navigate(href(page.id)),
    })),
    ...(["system", "light", "dark"] as const).map((theme) => ({
      key: theme,
      label: t("palette.theme", { theme: t(`app.themes.${theme}`) }),
      icon: <IconPalette className="small" aria-hidden />,
      run: () => setPreferences({ theme }),
    })),
    ...(["compact", "standard", "comfortable"] as const).map((density) => ({
      key: density,
      label: t("palette.density", { density: t(`app.densities.${density}`) }),
      icon: <IconLineHeight className="small" aria-hidden />,
      run: () => setPreferences({ density }),
    })),
    {
      key: "keys",
      label: t("palette.keyboard"),
      keys: "?",
      icon: <IconKeyboard className="small" aria-hidden />,
      run: showKeys,
    },
  ];
  return {
    kind: "commands",
    find: (query) => {
      const address = addressOf(query);
      return address ? linked(pages, address) : commands.filter((item) => matches(item.label, query));
    },
  };
}

/** What an address of the window leads to. */
function linked(pages: readonly Page[], address: string): PaletteItem[] {
  const { page: id, path } = parseRoute(address);
  const page = pages.find((each) => each.id === id);
  if (!page) return [];
  return [
    {
      key: address,
      label: t("palette.link", { place: [t(page.title), ...path].join(" · ") }),
      icon: <page.icon className="small" aria-hidden />,
      run: () => followLink(pages, address),
    },
  ];
}

function ScreenKey({ page }: { page: Page }) {
  useShortcut(`app.screen.${page.id}`, () => navigate(href(page.id)));
  return null;
}

/** What follows every word of a job, apart from the window so that no page is drawn again for it. */
function JobFollower() {
  useJobKeys();
  usePaletteLibrary();
  return null;
}

function focusSearch() {
  const field = document.querySelector<HTMLInputElement>("main [role=searchbox], main input[type=search]");
  field?.focus();
  field?.select();
}

/** Keys, menus and drops that the web view would answer in a way of its own. */
function useWindowEvents() {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!handleKey(event) && isBlocked(combination(event))) event.preventDefault();
    };
    const menu = (event: MouseEvent) => {
      // A browser keeps its own menu.
      if (!may("shell.quit")) return;
      // The web view's own menu offers Reload; where there is something to copy or paste it stays.
      const keeps = (event.target as Element).closest("input, textarea, [contenteditable]");
      if (!keeps && window.getSelection()?.isCollapsed !== false) event.preventDefault();
    };
    const drop = (event: globalThis.DragEvent) => event.preventDefault();
    window.addEventListener("keydown", press);
    window.addEventListener("contextmenu", menu);
    window.addEventListener("dragover", drop);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("keydown", press);
      window.removeEventListener("contextmenu", menu);
      window.removeEventListener("dragover", drop);
      window.removeEventListener("drop", drop);
    };
  }, []);
}

/** The keys that hold on every screen. */
function useWindowKeys() {
  useShortcut("app.settings", () => navigate(href("settings")));
  useShortcut("app.back", () => window.history.back());
  useShortcut("app.forward", () => window.history.forward());
  useShortcut("app.quit", () => void quit());
  useShortcut("app.search", focusSearch);
  useShortcut("app.chart-table", toggleChartTables);
  useShortcut("app.panes", () => walkPanes(1));
  useShortcut("app.panes-back", () => walkPanes(-1));
}

/** The window: rail, top bar, page, status bar, and what lies over them. */
export function Shell({ pages }: { pages: readonly Page[] }) {
  const route = useRoute();
  const page = pages.find((each) => each.id === route.page) ?? pages[0];
  const workspace = useWorkspace();
  const [palette, setPalette] = useState(false);
  const [keys, setKeys] = useState(false);
  const [context, setContext] = useState<HTMLElement | null>(null);
  const [actions, setActions] = useState<HTMLElement | null>(null);
  const slots = useMemo(() => ({ context, actions }), [context, actions]);
  const bodies = useMemo(() => new Map(pages.map((each) => [each.id, lazy(each.load)])), [pages]);
  const overs = useMemo(
    () => pages.flatMap(({ id, over }) => (over ? [{ id, Over: lazy(over) }] : [])),
    [pages],
  );
  const sources = useMemo(
    () => [...pages.flatMap((each) => each.sources ?? []), shellSource(pages, () => setKeys(true))],
    [pages],
  );
  useJobNews();
  useOpenedLinks(pages);
  useLostWorkspace(
    useCallback((name: string) => toast({ kind: "warn", title: t("workspaces.lost", { name }) }), []),
  );
  useShortcut("app.palette", () => setPalette((open) => !open));
  useShortcut("app.map", () => setKeys(true));
  useWindowKeys();
  useWindowEvents();
  const title = page ? t(page.title) : t("app.name");
  useEffect(() => {
    document.title = `${title} · ${t("app.name")}`;
  }, [title]);
  const shown = page?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each screen that is shown is entered.
  useLayoutEffect(enterScreen, [shown]);
  const Body = page && bodies.get(page.id);
  return (
    <HeaderContext value={slots}>
      <JobFollower />
      {pages.map((each) => (
        <ScreenKey key={each.id} page={each} />
      ))}
      <div className={css.window}>
        <Rail
          pages={pages}
          current={page?.id ?? ""}
          onPalette={() => setPalette(true)}
          onKeyboard={() => setKeys(true)}
        />
        <TopBar
          title={title}
          onPalette={() => setPalette(true)}
          contextRef={setContext}
          actionsRef={setActions}
        />
        <main className={css.main} id="main" aria-label={title} tabIndex={-1}>
          <Condition />
          <Boundary title={t("crash.title")} resetKey={page?.id}>
            <Suspense fallback={<SkeletonRows />}>
              {Body && <Body key={`${workspace}/${page.id}`} />}
            </Suspense>
          </Boundary>
          <Suspense fallback={null}>
            {overs.map(({ id, Over }) => (
              <Over key={id} />
            ))}
          </Suspense>
        </main>
        <StatusBar onKeyboard={() => setKeys(true)} />
        <Toasts />
      </div>
      <Palette open={palette} onClose={() => setPalette(false)} sources={sources} />
      <KeyboardMap open={keys} onClose={() => setKeys(false)} />
      <Workspaces />
      <ErrorDialog />
      <EmbedQuestion />
      <LinkQuestion />
      <TooltipLayer />
    </HeaderContext>
  );
}
