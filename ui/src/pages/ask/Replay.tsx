import { IconArrowDown, IconArrowUp, IconMinus, IconPlus, IconX } from "@tabler/icons-react";
import type { Output } from "@/api/client";
import { useCommand } from "@/api/queries";
import { Button } from "@/kit/Button";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { Note } from "@/kit/Note";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { Loaded } from "@/kit/states";
import { t } from "@/text";
import { decimal, sentence } from "@/text/format";
import { visible } from "@/text/visible";
import css from "./replay.module.css";

type Found = Output<"answer.log.replay">;
type Moved = Found["passages"][number];

const ICONS = { came: IconPlus, went: IconX, up: IconArrowUp, down: IconArrowDown, stays: IconMinus };

function moveOf({ before, after }: Moved): keyof typeof ICONS {
  if (before === null) return "came";
  if (after === null) return "went";
  if (after < before) return "up";
  return after > before ? "down" : "stays";
}

const rank = (value: number | null) => (value === null ? "–" : String(value));
const relevance = (value: number | null) => (value === null ? "–" : decimal(value, 2));

/** The search of a logged answer run again: what has moved since, and why. */
export function Replay({ id, onClose }: { id: number; onClose: () => void }) {
  const replay = useCommand("answer.log.replay", { id });
  const title = t("ask.replay.title");
  return (
    <Dialog open onClose={onClose} label={title} width={720}>
      <div className={css.replay} data-autofocus tabIndex={-1}>
        <h2>{title}</h2>
        <Loaded query={replay}>{(found) => <Difference found={found} />}</Loaded>
      </div>
      <DialogFoot>
        <span className="xs mut grow">{t("ask.replay.note")}</span>
        <Button onClick={onClose}>{t("ask.replay.close")}</Button>
      </DialogFoot>
    </Dialog>
  );
}

function Difference({ found }: { found: Found }) {
  const { passages, settings_changed, source_changed, confidence_before, confidence_after } = found;
  const moved = passages.filter((each) => moveOf(each) !== "stays" || each.why !== "");
  return (
    <>
      <p className="sec" role="status">
        {moved.length === 0 ? t("ask.replay.nothing") : t("ask.replay.moved", { count: moved.length })}{" "}
        {t("ask.replay.confidence", {
          before: decimal(confidence_before, 2),
          after: decimal(confidence_after, 2),
        })}
      </p>
      {settings_changed && <Note kind="info">{t("ask.replay.settings")}</Note>}
      {source_changed && <Note kind="warn">{t("ask.replay.source")}</Note>}
      <ScrollRegion className={css.table} label={t("ask.replay.passages")}>
        <table className="compact">
          <thead>
            <tr>
              <th scope="col">{t("ask.replay.passage")}</th>
              <th scope="col" className="align-end">
                {t("ask.replay.before")}
              </th>
              <th scope="col" className="align-end">
                {t("ask.replay.after")}
              </th>
              <th scope="col" className="align-end">
                {t("ask.replay.relevance")}
              </th>
              <th scope="col">{t("ask.replay.why")}</th>
            </tr>
          </thead>
          <tbody>
            {passages.map((each) => {
              const move = moveOf(each);
              const Icon = ICONS[move];
              return (
                <tr key={each.chunk_id}>
                  <td>
                    <span className="row gap-6">
                      <Icon className="xs" role="img" aria-label={t(`ask.replay.move.${move}`)} />
                      <span>{visible(each.label)}</span>
                    </span>
                  </td>
                  <td className="align-end number">{rank(each.before)}</td>
                  <td className="align-end number">{rank(each.after)}</td>
                  <td className="align-end number nowrap">
                    {relevance(each.relevance_before)} → {relevance(each.relevance_after)}
                  </td>
                  <td className="sec">{sentence(each.why)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  );
}
