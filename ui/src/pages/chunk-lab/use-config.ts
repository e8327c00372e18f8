// A configuration as it is worked on: the strategy with every value, and how each changes.

import { useCommand } from "@/api/queries";
import type { StrategyView } from "@/api/types";
import { useShortcut } from "@/kit/shortcuts";
import type { Value } from "@/parts/strategy";
import { type Config, configOf, takes, valuesOf } from "./state";
import type { Base } from "./use-chunking";

/** A configuration with what changes it. */
export type ConfigControl = {
  strategies: readonly StrategyView[];
  strategy: StrategyView;
  /** Every value. */
  values: Record<string, Value>;
  /** Whether it is the way the corpus itself is cut. */
  asStored: boolean;
  set: (name: string, value: Value) => void;
  choose: (strategy: string) => void;
  /** Back to the way the corpus itself is cut. */
  reset: () => void;
};

/** The configuration `config` of the document `base`; nothing before the strategies are known. */
export function useConfig(
  base: Base | undefined,
  config: Config | undefined,
  onChange: (config: Config | undefined) => void,
): ConfigControl | undefined {
  const strategies = useCommand("strategy.list", {}).data;
  const named = (name: string | undefined) => strategies?.find((each) => each.name === name);
  const strategy = named(config?.strategy) ?? named(base?.cut.strategy);
  if (!strategies || !strategy || !base) return undefined;
  const own = strategy.name === base.cut.strategy ? valuesOf(strategy, base.cut.settings) : undefined;
  const values = config?.strategy === strategy.name ? valuesOf(strategy, config.values) : (own ?? {});
  const put = (next: StrategyView, changed: Record<string, Value>) => {
    const stored = next.name === base.cut.strategy ? valuesOf(next, base.cut.settings) : undefined;
    const same = stored && next.params.every(({ name }) => stored[name] === changed[name]);
    onChange(same ? undefined : configOf(next, changed));
  };
  return {
    strategies,
    strategy,
    values,
    asStored: config === undefined,
    set: (name, value) => put(strategy, { ...values, [name]: value }),
    choose: (name) => {
      const next = named(name);
      if (!next) return;
      if (next.name === base.cut.strategy) return onChange(undefined);
      // Sizes that both strategies know are kept.
      const kept = next.params.filter((param) => takes(param, values[param.name]));
      put(next, {
        ...valuesOf(next, {}),
        ...Object.fromEntries(kept.map(({ name: each }) => [each, values[each] as Value])),
      });
    },
    reset: () => onChange(undefined),
  };
}

const OVERLAP = ["overlap_tokens", "chunk_overlap"];
const TARGET = ["target_tokens", "chunk_size", "max_tokens"];
const NUDGE = 10;

/** The keys that change a configuration, where it is on screen. */
export function useConfigKeys(control: ConfigControl | undefined, onScreen: boolean) {
  const named = (names: readonly string[]) =>
    names.flatMap((name) => control?.strategy.params.find((param) => param.name === name) ?? [])[0];
  const nudge = (by: number) => {
    const param = named(TARGET);
    const value = param && control?.values[param.name];
    if (!control || !param || typeof value !== "number") return;
    control.set(param.name, Math.max(param.min ?? 0, Math.min(param.max ?? value + by, value + by)));
  };
  useShortcut("chunk-lab.less", () => nudge(-NUDGE), onScreen);
  useShortcut("chunk-lab.more", () => nudge(NUDGE), onScreen);
  const overlap = () => {
    const param = named(OVERLAP);
    if (param) control?.set(param.name, control.values[param.name] === 0 ? param.default : 0);
  };
  useShortcut("chunk-lab.overlap", overlap, onScreen);
}
