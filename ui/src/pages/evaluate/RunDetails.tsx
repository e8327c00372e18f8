import type { EvalRun, GoldSet, RunCorpus } from "@/api/types";
import { CopyButton } from "@/kit/CopyButton";
import { Dialog } from "@/kit/Dialog";
import { Id } from "@/kit/Id";
import { KeyValues } from "@/kit/Note";
import { tip } from "@/kit/Tooltip";
import { usualOf } from "@/parts/run-search";
import { paramName, type Value, valueName } from "@/parts/strategy";
import { MakeUsual } from "@/parts/UsualSearch";
import { t } from "@/text";
import { visible } from "@/text/visible";
import { cutWords, searchWords } from "./runs";

/** Digits of a hash that tell it from any other in sight. */
const SHORT = 8;

/** Every setting of a corpus's chunking, in words. */
const settingsOf = ({ settings }: RunCorpus): string =>
  Object.entries(settings)
    .map(([name, value]) =>
      t("evaluate.matrix.setting", { name: paramName({ name }), value: valueName(value as Value) }),
    )
    .join(" · ");

/** How a run was made, with the hash that tells whether another was made alike. */
export function RunDetails({ run, set, onClose }: { run: EvalRun; set: GoldSet; onClose: () => void }) {
  const { search, model, corpora } = run.configuration;
  const title = t("evaluate.details.title", { name: run.name });
  const version = t("evaluate.sets.version", { version: String(run.set_version) });
  return (
    <Dialog open closes onClose={onClose} label={title} width={520}>
      <div className="ask">
        <h2>{title}</h2>
        <KeyValues
          rows={[
            [t("evaluate.details.search"), search ? searchWords(search) : t("evaluate.runs.other_system")],
            ...(search
              ? [[t("evaluate.details.model"), visible(model ?? t("evaluate.details.no_model"))] as const]
              : []),
            ...corpora.map(
              (corpus) =>
                [
                  visible(corpus.name),
                  <span key={corpus.name} {...tip(settingsOf(corpus) || undefined)}>
                    {cutWords(corpus)} · {t("evaluate.matrix.row_chunks", { count: corpus.chunks })}
                  </span>,
                ] as const,
            ),
            [
              t("evaluate.details.set"),
              run.set_version === set.version
                ? version
                : t("evaluate.details.set_since", { version, now: String(set.version) }),
            ],
            [t("evaluate.details.program"), `Sibyl ${run.program}`],
            [
              t("evaluate.details.hash"),
              <span key="hash" className="row gap-4" {...tip(t("evaluate.details.hash_note"))}>
                <Id className="push">{run.config_hash.slice(0, SHORT)}</Id>
                <CopyButton text={run.config_hash} label={t("evaluate.details.copy_hash")} />
              </span>,
            ],
          ]}
        />
        {search && (
          <div className="row">
            <MakeUsual search={usualOf(search)} />
          </div>
        )}
      </div>
    </Dialog>
  );
}
