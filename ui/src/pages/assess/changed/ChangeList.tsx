import { useMemo } from "react";
import { may } from "@/api/client";
import type { ComparedAs } from "@/api/types";
import { Button } from "@/kit/Button";
import { SearchField } from "@/kit/fields";
import { Id } from "@/kit/Id";
import { Kbd } from "@/kit/Kbd";
import { keysOf } from "@/kit/shortcuts";
import { EmptyState } from "@/kit/states";
import { VirtualList } from "@/kit/VirtualList";
import { StatusShape } from "@/parts/StatusShape";
import { t } from "@/text";
import { visible } from "@/text/visible";
import { CarriedMark, ChangeIcon, kindName } from "./ChangeMark";
import css from "./changed.module.css";
import { type Changed, isSettled } from "./changes";
import type { Changing } from "./use-changing";

const ROW = 26;

type ChangeListProps = {
  /** Those that the filters leave. */
  shown: readonly Changed[];
  all: readonly Changed[];
  compared: ComparedAs;
  selected: string;
  words: string;
  changing: Changing;
  onSelect: (id: string) => void;
  onWords: (words: string) => void;
};

/** The requirements, each with its kind of change and the decision. */
export function ChangeList(props: ChangeListProps) {
  const { shown, all, compared, selected, words, changing, onSelect, onWords } = props;
  const at = useMemo(() => shown.findIndex(({ id }) => id === selected), [shown, selected]);
  const open = (each: Changed) => each.carried && changing.statusOf(each) === "open";
  const carried = all.filter(({ carried }) => carried);
  const waiting = carried.filter(open);
  const settled = waiting.filter(isSettled);
  return (
    <>
      <div className={css.search}>
        <SearchField
          size="small"
          label={t("assess.filter.label")}
          placeholder={t("assess.filter.placeholder")}
          value={words}
          onChange={onWords}
        />
      </div>
      {shown.length === 0 ? (
        <EmptyState title={t("assess.changed.nothing_left")} />
      ) : (
        <VirtualList
          label={t("assess.changed.list")}
          count={shown.length}
          rowHeight={ROW}
          rowKey={(index) => shown[index]?.id ?? index}
          selected={at}
          onSelect={(index) => onSelect(shown[index]?.id ?? "")}
          className={css.list}
          row={(index) => {
            const each = shown[index];
            return each && <Line changed={each} {...{ compared, changing }} />;
          }}
        />
      )}
      {carried.length > 0 && (
        <div className={css.foot}>
          <span className="row gap-6">
            <i className={css.hatch} aria-hidden />
            {t("assess.changed.to_confirm", { count: waiting.length })}
            <span className="mut push">
              {t("assess.changed.confirmed", {
                confirmed: carried.length - waiting.length,
                total: carried.length,
              })}
            </span>
          </span>
          {settled.length > 0 && may("assess.carry_over") && (
            <Button size="small" onClick={() => changing.confirm(settled)}>
              {t("assess.changed.confirm_same", { count: settled.length })}{" "}
              <Kbd keys={keysOf("assess.confirm-same")} />
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function Line({
  changed,
  compared,
  changing,
}: {
  changed: Changed;
  compared: ComparedAs;
  changing: Changing;
}) {
  const { name, label, kind, earlier, carried } = changed;
  const status = changing.statusOf(changed);
  const waits = carried && status === "open";
  return (
    <span className={css.line} data-tip={visible(label)}>
      <Id>{name}</Id>
      <span className="ell">{name === label ? "" : visible(label)}</span>
      <span className="sr-only">
        {kindName(kind, compared)},{" "}
        {waits
          ? t("assess.changed.waits", { status: t(`assess.status.${earlier}`) })
          : t(`assess.status.${status}`)}
      </span>
      <span className={css.end} aria-hidden>
        <ChangeIcon kind={kind} />
        {waits ? (
          <CarriedMark status={earlier} short />
        ) : (
          <span className={css.shape}>{status !== "open" && <StatusShape status={status} quiet />}</span>
        )}
      </span>
    </span>
  );
}
