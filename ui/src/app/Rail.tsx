import { IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";
import { Fragment } from "react";
import { IconButton } from "@/kit/Button";
import { useRun } from "@/state/assessing";
import { useJobs } from "@/state/jobs";
import type { Page } from "@/state/page";
import { setPreferences, usePreferences } from "@/state/preferences";
import { href } from "@/state/router";
import { t } from "@/text";
import { AppMenu } from "./menu";
import css from "./rail.module.css";

const THEMES = ["system", "light", "dark"] as const;
const ICONS = { system: IconDeviceDesktop, light: IconSun, dark: IconMoon };

function Entry({ page, here, dot }: { page: Page; here: boolean; dot?: boolean }) {
  const Icon = page.icon;
  return (
    <a
      href={href(page.id)}
      className={here ? css.on : undefined}
      aria-current={here ? "page" : undefined}
      aria-label={t(page.title)}
      data-tip={t(page.title)}
    >
      <Icon className="large" aria-hidden />
      <span>{t(page.title)}</span>
      {dot && <i className={css.dot} role="img" aria-label={t("app.job_running")} />}
    </a>
  );
}

type RailProps = {
  pages: readonly Page[];
  /** Id of the screen that is shown. */
  current: string;
  onPalette: () => void;
  onKeyboard: () => void;
};

/** The rail: menu and screens above, theme and settings below. */
export function Rail({ pages, current, onPalette, onKeyboard }: RailProps) {
  const { theme } = usePreferences();
  const run = useRun();
  const working = {
    library: [...useJobs().values()].some((job) => job.state === "running"),
    assess: run !== undefined && run.error === undefined,
  };
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
  const ThemeIcon = ICONS[theme];
  return (
    <nav className={css.rail} aria-label={t("app.primary")} data-pane="rail" tabIndex={-1}>
      <AppMenu onPalette={onPalette} onKeyboard={onKeyboard} />
      {pages
        .filter((page) => !page.low)
        .map((page) => (
          <Fragment key={page.id}>
            {page.parted && <hr className={css.part} />}
            <Entry
              page={page}
              here={page.id === current}
              dot={page.id in working && working[page.id as keyof typeof working]}
            />
          </Fragment>
        ))}
      <IconButton
        label={t("app.theme", { theme: t(`app.themes.${theme}`) })}
        className={css.theme}
        onClick={() => setPreferences({ theme: next })}
      >
        <ThemeIcon aria-hidden />
      </IconButton>
      {pages
        .filter((page) => page.low)
        .map((page) => (
          <Entry key={page.id} page={page} here={page.id === current} />
        ))}
    </nav>
  );
}
