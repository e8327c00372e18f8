// What the engine knows of each kind of source. It is asked for once, before anything else.

import { currentWorkspace } from "@/api/client";
import type { Transport } from "@/api/transport";
import type { FieldView, Permission, SourceTypeView, StandardView } from "@/api/types";
import { createStore } from "@/kit/store";

const known = createStore<readonly SourceTypeView[]>([]);

/** Every kind, in the engine's order; none before they are told. */
export const sourceTypes = known.get;

/** Every kind; the component follows them, for they may be told after it is drawn. */
export const useSourceTypes = known.use;

/** Takes over what the engine knows. */
export const learnSourceTypes = known.set;

let told: Promise<void> = Promise.resolve();

/** Settles once the kinds are known or cannot be told. */
export const sourceTypesTold = (): Promise<void> => told;

/**
 * A door that asks for the kinds of sources at once, and gives no answer before they are known: whatever is drawn from
 * one reads them. Where the engine does not tell them, they keep their bare names.
 */
export function withSourceTypes(door: Transport): Transport {
  const envelope = { requestId: "ui-source-types", workspace: currentWorkspace() };
  const learned = door.call("source_type.list", {}, envelope).then(
    (kinds) => learnSourceTypes(kinds as SourceTypeView[]),
    () => undefined,
  );
  told = learned;
  return {
    ...door,
    call: async (command, ...rest) => {
      // What the window does by itself waits for no library.
      if (command.startsWith("shell.")) return door.call(command, ...rest);
      const [answer] = await Promise.all([door.call(command, ...rest), learned]);
      return answer;
    },
  };
}

/** The kind called `name`. */
export const sourceType = (name: string): SourceTypeView | undefined =>
  known.get().find((each) => each.name === name);

/** What people call documents of a kind. */
export const labelOf = (name: string): string => sourceType(name)?.label ?? name;

/** What is known of a kind as a standard. */
export const standardOf = (name: string): StandardView | undefined => sourceType(name)?.standard ?? undefined;

/** Whether a kind allows something. */
export const allows = (name: string, permission: Permission): boolean =>
  sourceType(name)?.allows.includes(permission) ?? false;

function mergedFields(kinds: readonly SourceTypeView[]): ReadonlyMap<string, FieldView> {
  const all = new Map<string, FieldView>();
  for (const field of kinds.flatMap(({ filters }) => filters)) {
    const values = new Map(
      [...(all.get(field.list)?.values ?? []), ...field.values].map((each) => [each.value, each]),
    );
    all.set(field.list, { ...field, values: [...values.values()] });
  }
  return all;
}

let merged = { of: known.get(), byList: mergedFields(known.get()) };

// Every label of every value is looked up here, so they are merged once for all.
function fieldsByList(): ReadonlyMap<string, FieldView> {
  const kinds = known.get();
  if (merged.of !== kinds) merged = { of: kinds, byList: mergedFields(kinds) };
  return merged.byList;
}

/** Every field by which chunks of some kind are found, each once with the values that any kind knows. */
export const fields = (): FieldView[] => [...fieldsByList().values()];

/** The field whose list in a filter is called `list`. */
export const fieldOf = (list: string): FieldView | undefined => fieldsByList().get(list);

/** What people call a value of a field; nothing where the field knows none such. */
export const valueLabel = (list: string, value: string): string | undefined =>
  fieldOf(list)?.values.find((each) => each.value === value)?.label;

/** Every standard. */
export const standards = (): StandardView[] => known.get().flatMap(({ standard }) => standard ?? []);

/** The kind of licensed copies. */
export const licensedCopies = (): SourceTypeView | undefined =>
  known.get().find(({ nature }) => nature === "licensed_copy");

/** What ships and is imported together: the name to ask for it by, and its kinds. */
export function shippedGroups(): { group: string; kinds: SourceTypeView[] }[] {
  const groups = new Map<string, SourceTypeView[]>();
  for (const kind of known.get())
    if (kind.ships !== null) groups.set(kind.ships, [...(groups.get(kind.ships) ?? []), kind]);
  return [...groups].map(([group, kinds]) => ({ group, kinds }));
}
