// What is wrong with the library as a whole, above every screen: damage, write protection, a bad place.

import { useState } from "react";
import { EngineError, may } from "@/api/client";
import { useCommand } from "@/api/queries";
import { quit } from "@/api/shell";
import type { Condition as Standing } from "@/api/types";
import { Button } from "@/kit/Button";
import { Note } from "@/kit/Note";
import { href, navigate } from "@/state/router";
import { reportError } from "@/state/trouble";
import { t } from "@/text";
import { sentence } from "@/text/format";
import { visible } from "@/text/visible";
import css from "./condition.module.css";

const GRAVE = { damaged: "bad", read_only: "warn", replaced: "warn", sound: "warn" } as const;

/** Milliseconds after which the state of a damaged library is asked for again: one that does not open tells of nothing. */
const AGAIN = 5_000;

/** Follows what another program does about the damage. */
function Followed() {
  useCommand("library.condition", {}, { again: AGAIN });
  return null;
}

function Wrong({ standing }: { standing: Standing }) {
  if (standing.state === "sound") return null;
  return (
    <Note kind={GRAVE[standing.state]}>
      <b>{t(`condition.${standing.state}`)}</b> {t(`condition.${standing.state}_note`)}
      {standing.message && standing.state !== "replaced" && (
        <div className="xs sec">{visible(sentence(standing.message))}</div>
      )}
      {standing.state === "damaged" && <Followed />}
      <div className={css.ways}>
        {standing.state === "damaged" && may("library.rescue") && (
          <Button size="small" tone="primary" onClick={() => navigate(href("settings", ["data", "rescue"]))}>
            {t("condition.mend")}
          </Button>
        )}
        {standing.state === "replaced" && may("shell.quit") && (
          <Button
            size="small"
            tone="primary"
            onClick={() => quit().catch((thrown) => reportError(EngineError.from(thrown)))}
          >
            {t("settings.data.quit")}
          </Button>
        )}
      </div>
    </Note>
  );
}

/** Says what is wrong with the library, and leads to what mends it; nothing where nothing is. */
export function Condition() {
  return may("library.condition") ? <Shown /> : null;
}

function Shown() {
  const condition = useCommand("library.condition", {});
  const [later, setLater] = useState(false);
  const standing = condition.data;
  const place = later ? null : standing?.place;
  if (!standing || (standing.state === "sound" && !place)) return null;
  return (
    <section className={css.condition} aria-label={t("condition.label")} data-testid="condition">
      <Wrong standing={standing} />
      {place && (
        <Note kind="warn">
          <b>{t("condition.place")}</b> {visible(sentence(place))}
          <div className={css.ways}>
            <Button size="small" onClick={() => navigate(href("settings", ["data", "folder"]))}>
              {t("settings.data.move")}
            </Button>
            <Button size="small" onClick={() => setLater(true)}>
              {t("condition.later")}
            </Button>
          </div>
        </Note>
      )}
    </section>
  );
}
