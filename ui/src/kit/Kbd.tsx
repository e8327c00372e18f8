import { keyNames } from "./shortcuts";

/** The keys of a combination such as `mod+shift+r`, one cap each. A space parts alternatives. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <span className="row gap-2">
      {keyNames(keys).map((name) => (
        <kbd key={name} className="kbd">
          {name}
        </kbd>
      ))}
    </span>
  );
}
