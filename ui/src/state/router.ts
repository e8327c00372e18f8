// Where the window is: `#/page/path?query`. What a person would want back stands in the query.

import { useCallback, useMemo, useSyncExternalStore } from "react";

import { currentWorkspace } from "@/api/client";
import { address, pushAddress, replaceAddress, watchAddress } from "./address";

export { address };

/** A place in the window. */
export type Route = { page: string; path: string[]; query: URLSearchParams };

/** Reads a place from the part of the address after `#`. */
export function parseRoute(text: string): Route {
  const [path = "", query = ""] = text.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [page = "", ...rest] = path.split("/").filter(Boolean).map(decoded);
  return { page, path: rest, query: new URLSearchParams(query) };
}

/** A part of an address without its escapes; as it stands where one of them is malformed. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Reads a list from a value of the query, which {@link joined} wrote. */
export const listed = (text: string | null): string[] => (text ?? "").split(",").filter(Boolean).map(decoded);

/** A list as a value of the query; nothing where it is empty. Its values may hold commas of their own. */
export const joined = (values: readonly string[]): string | undefined =>
  values.map((each) => each.replaceAll("%", "%25").replaceAll(",", "%2C")).join(",") || undefined;

/** The address of a place. Query values that are empty are left out. */
export function href(
  page: string,
  path: readonly string[] = [],
  query: Record<string, string | undefined> = {},
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value);
  const tail = search.size > 0 ? `?${search}` : "";
  return `#/${[page, ...path].map(encodeURIComponent).join("/")}${tail}`;
}

/** Goes to an address that {@link href} made. With `replace` Back leads past the present place. */
export function navigate(to: string, options: { replace?: boolean } = {}): void {
  if (to === address()) return;
  if (options.replace) replaceAddress(to);
  else pushAddress(to);
}

/** The present place; the component follows it. */
export function useRoute(): Route {
  const text = useSyncExternalStore(watchAddress, address);
  return useMemo(() => parseRoute(text), [text]);
}

/** A value kept in the query of the address. Setting it to the fallback takes it out again. */
export function useQueryState(name: string, fallback: string): [string, (value: string) => void];
export function useQueryState<V extends string>(name: string, fallback: NoInfer<V>): [V, (value: V) => void];
export function useQueryState(name: string, fallback: string): [string, (value: string) => void] {
  const text = useSyncExternalStore(watchAddress, address);
  const value = parseRoute(text).query.get(name) ?? fallback;
  const set = useCallback(
    (next: string) => {
      const here = parseRoute(address());
      if (next === fallback) here.query.delete(name);
      else here.query.set(name, next);
      navigate(href(here.page, here.path, Object.fromEntries(here.query)), { replace: true });
    },
    [name, fallback],
  );
  return [value, set];
}

const PLACE = "sibyl.place";

const keyOf = (page: string) => `${PLACE}.${currentWorkspace()}.${page}`;

/** The address at which a screen was left, also before a restart. */
export const placeLeft = (page: string): string | undefined => localStorage.getItem(keyOf(page)) ?? undefined;

/** Keeps an address for who comes back to its screen. */
export const keepPlaceOf = (to: string): void => localStorage.setItem(keyOf(parseRoute(to).page), to);

/**
 * Keeps the present place and that of each screen, for coming back and for the next start. Who arrives at a screen
 * without saying where on it, goes to where it was left; a window that opens at none, to the last place of all.
 */
export function keepPlace(): void {
  const kept = localStorage.getItem(PLACE);
  if (address() === "" && kept) navigate(kept, { replace: true });
  let shown = "";
  const arrive = () => {
    const { page, path, query } = parseRoute(address());
    const came = page !== shown;
    shown = page;
    const left = came && path.length === 0 && query.size === 0 ? placeLeft(page) : undefined;
    // What replaces the address is heard here as well.
    if (left !== undefined && left !== address()) return navigate(left, { replace: true });
    localStorage.setItem(PLACE, address());
    keepPlaceOf(address());
  };
  arrive();
  watchAddress(arrive);
}
