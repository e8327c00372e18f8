// One value that lives outside React, and that components can follow.

import { useSyncExternalStore } from "react";

/** A value, the way to change it, and the way to follow it. */
export type Store<T> = {
  get: () => T;
  /** Puts another value in its place. Whoever follows it is told, unless it is the same value. */
  set: (next: T) => void;
  /** Calls `watcher` after each change, until the function that it gives is called. */
  watch: (watcher: () => void) => () => void;
  /** The value; the component that calls it follows its changes. */
  use: () => T;
};

/** Makes a store that holds `first`. */
export function createStore<T>(first: T): Store<T> {
  let value = first;
  const watchers = new Set<() => void>();
  const get = () => value;
  const watch = (watcher: () => void) => {
    watchers.add(watcher);
    return () => {
      watchers.delete(watcher);
    };
  };
  return {
    get,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const watcher of watchers) watcher();
    },
    watch,
    use: () => useSyncExternalStore(watch, get),
  };
}
