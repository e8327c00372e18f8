import { IconAdjustmentsHorizontal, IconRotate2 } from "@tabler/icons-react";
import { memo, useState } from "react";
import type { ParamView, StrategyView } from "@/api/types";
import { Button, IconButton } from "@/kit/Button";
import { Select } from "@/kit/fields";
import { Popover } from "@/kit/Popover";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { useSteady } from "@/kit/steady";
import type { Side } from "@/parts/Letter";
import { ParamField } from "@/parts/ParamField";
import { paramName, strategyName, valueName } from "@/parts/strategy";
import { t, text } from "@/text";
import css from "./form.module.css";
import shared from "./shared.module.css";
import type { Cut } from "./use-chunking";
import type { ConfigControl } from "./use-config";

type StrategyFieldProps = {
  name: string;
  strategies: readonly StrategyView[];
  onChoose: (name: string) => void;
};

const StrategyField = memo(function StrategyField({ name, strategies, onChoose }: StrategyFieldProps) {
  return (
    <div className={shared.field}>
      <span className="sec">{t("chunk-lab.form.strategy")}</span>
      <Select
        label={t("chunk-lab.form.strategy")}
        value={name}
        onChange={onChoose}
        options={strategies.map((each) => ({ value: each.name, label: strategyName(each.name) }))}
      />
    </div>
  );
});

const KINDS = ["integer", "switch", "choice", "text"];

type FormProps = { side: Side; control: ConfigControl; cut: Cut | undefined };

/** The parameters that the strategy declares, drawn from its declaration. */
export const Form = memo(function Form({ control, cut }: FormProps) {
  const { strategy, strategies, values } = control;
  const [told, tell] = useState<ParamView>();
  const set = useSteady(control.set);
  const choose = useSteady(control.choose);
  const chunks = cut?.view.chunks ?? [];
  const header = chunks.reduce((sum, { view }) => sum + view.header_tokens, 0);
  const groups = KINDS.map((kind) => strategy.params.filter((param) => param.kind === kind)).filter(
    (group) => group.length > 0,
  );
  return (
    <div className={css.form}>
      <StrategyField name={strategy.name} strategies={strategies} onChoose={choose} />
      {groups.map((group) => (
        <div key={group[0]?.kind} className={group[0]?.kind === "integer" ? css.numbers : css.switches}>
          {group.map((param) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: what is pointed at is explained below.
            <div
              key={param.name}
              onPointerEnter={() => tell(param)}
              onFocus={() => tell(param)}
              data-param={param.name}
            >
              <ParamField
                param={param}
                value={values[param.name]}
                onSet={set}
                note={
                  param.name === "context_header" && header > 0
                    ? t("chunk-lab.form.header_adds", { count: Math.round(header / chunks.length) })
                    : undefined
                }
              />
            </div>
          ))}
        </div>
      ))}
      <p className={`xs mut ${css.told}`}>
        {told && strategy.params.includes(told) ? (
          <>
            <b>{paramName(told)}.</b> {told.description}
            {told.kind === "integer" &&
              ` ${t("chunk-lab.form.range", { min: told.min ?? 0, max: told.max ?? 0, unit: told.unit })}`}
          </>
        ) : (
          strategy.summary
        )}
      </p>
      {!control.asStored && (
        <div>
          <Button
            size="tiny"
            tone="quiet"
            icon={<IconRotate2 className="small" aria-hidden />}
            onClick={control.reset}
          >
            {t("chunk-lab.form.reset")}
          </Button>
        </div>
      )}
    </div>
  );
}, sameForm);

// A control is rebuilt with every drawing; it does the same while side, strategy and values are the same.
function sameForm(before: FormProps, after: FormProps): boolean {
  return (
    before.side === after.side &&
    before.cut === after.cut &&
    before.control.strategy === after.control.strategy &&
    before.control.asStored === after.control.asStored &&
    JSON.stringify(before.control.values) === JSON.stringify(after.control.values)
  );
}

/** The configuration in one line: strategy and values. */
export function Chips({ control, active }: { control: ConfigControl; active?: boolean }) {
  const look = active ? "chip on" : "chip";
  return (
    <div className={css.chips}>
      <span className={look}>
        {t("chunk-lab.form.strategy")} <b>{strategyName(control.strategy.name)}</b>
      </span>
      {control.strategy.params.map((param) => {
        const value = control.values[param.name];
        return (
          <span key={param.name} className={look}>
            {text(`chunk-lab.params_short.${param.name}`) ?? paramName(param)}{" "}
            <b>{value !== undefined && valueName(value)}</b>
          </span>
        );
      })}
    </div>
  );
}

type FormButtonProps = FormProps & { words?: boolean };

/** The form on a sheet below its button, where there is no room for it beside the text. */
export function FormButton({ control, cut, side, words }: FormButtonProps) {
  const name = t("chunk-lab.form.configuration", { side: side.toUpperCase() });
  const icon = <IconAdjustmentsHorizontal className="small" aria-hidden />;
  return (
    <Popover
      label={name}
      width={260}
      position={words ? "bottom-start" : "bottom-end"}
      button={(open, toggle) =>
        words ? (
          <Button size="small" icon={icon} aria-expanded={open} onClick={toggle}>
            {name}
          </Button>
        ) : (
          <IconButton
            size="small"
            label={t("chunk-lab.form.edit", { side: side.toUpperCase() })}
            aria-expanded={open}
            onClick={toggle}
          >
            {icon}
          </IconButton>
        )
      }
    >
      {() => (
        <ScrollRegion ways="down" className={shared.sheet}>
          <Form side={side} control={control} cut={cut} />
        </ScrollRegion>
      )}
    </Popover>
  );
}
