import { IconPin, IconX } from "@tabler/icons-react";
import { type FormEvent, useRef, useState } from "react";
import { call, EngineError } from "@/api/client";
import { useCommand } from "@/api/queries";
import type { WhyNot } from "@/api/types";
import { Button, IconButton } from "@/kit/Button";
import { TextField } from "@/kit/fields";
import { Id } from "@/kit/Id";
import { useShortcut } from "@/kit/shortcuts";
import { titleOf } from "@/parts/passage";
import { t } from "@/text";
import { sentence, whole } from "@/text/format";
import { visible } from "@/text/visible";
import { fateOf } from "./reasons";
import shared from "./shared.module.css";
import type { Found, LabControl } from "./use-lab";
import css from "./why.module.css";

type WhyProps = Pick<LabControl, "ask" | "change"> & { pinned: readonly string[]; found: Found };

/** "Why not this one?": pins a paragraph or chunk whose fate is then told with every search. */
export function Why({ pinned, ask, change, found }: WhyProps) {
  const field = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState("");
  const [problem, setProblem] = useState<string>();
  useShortcut("search-lab.why", () => {
    field.current?.scrollIntoView({ block: "center" });
    field.current?.focus();
  });
  const pin = async (event: FormEvent) => {
    event.preventDefault();
    const wanted = draft.trim();
    if (wanted === "") return;
    try {
      const chunk_id = /^[0-9a-f]{16}$/.test(wanted)
        ? wanted
        : (await call("paragraph.get", { id: wanted })).chunk_id;
      setProblem(undefined);
      setDraft("");
      if (!pinned.includes(chunk_id)) ask({ pinned: [...pinned, chunk_id] });
      change({ selected: chunk_id });
    } catch (thrown) {
      setProblem(EngineError.from(thrown).message);
    }
  };
  return (
    <section aria-label={t("search.why.title")} className={css.why}>
      <h3 className={`h2 ${shared.sub}`}>{t("search.why.title")}</h3>
      <form className="row gap-6" onSubmit={(event) => void pin(event)}>
        <TextField
          ref={field}
          label={t("search.why.field")}
          placeholder={t("search.why.placeholder")}
          size="small"
          className="grow"
          icon={<IconPin className="small" aria-hidden />}
          value={draft}
          error={problem !== undefined}
          onChange={(event) => setDraft(event.currentTarget.value)}
        />
        <Button size="small" type="submit">
          {t("search.why.pin")}
        </Button>
      </form>
      {problem && (
        <div className="xs c-bad" role="alert">
          {visible(sentence(problem))}
        </div>
      )}
      {pinned.map((chunkId) => {
        const fate = found.response.trace.pinned.find((each) => each.chunk_id === chunkId);
        return <Pinned key={chunkId} chunkId={chunkId} fate={fate} {...{ pinned, ask, change }} />;
      })}
    </section>
  );
}

type PinnedProps = Pick<LabControl, "ask" | "change"> & {
  chunkId: string;
  fate: WhyNot | undefined;
  pinned: readonly string[];
};

function Pinned({ chunkId, fate, pinned, ask, change }: PinnedProps) {
  const chunk = useCommand("chunk.get", { chunk_id: chunkId });
  const name = chunk.data ? titleOf(chunk.data.row) : chunkId;
  return (
    <div className={css.pinned}>
      <button type="button" className={css.pinnedName} onClick={() => change({ selected: chunkId })}>
        <Id link>{name}</Id>
      </button>
      <IconButton
        size="small"
        label={t("search.why.unpin", { name })}
        onClick={() => ask({ pinned: pinned.filter((each) => each !== chunkId) })}
      >
        <IconX className="xs" aria-hidden />
      </IconButton>
      <span className={`sm sec ${css.pinnedFate}`}>
        {fate ? fateOf(fate) : t("search.why.waiting")}
        {fate && (fate.semantic_rank !== null || fate.keyword_rank !== null) && (
          <span className="mut number">
            {" "}
            {t("search.why.ranks", {
              semantic: fate.semantic_rank === null ? "—" : whole(fate.semantic_rank),
              keyword: fate.keyword_rank === null ? "—" : whole(fate.keyword_rank),
            })}
          </span>
        )}
      </span>
    </div>
  );
}
