import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from "react";
import {
  address as addressNow,
  href,
  keepPlaceOf,
  navigate,
  parseRoute,
  placeLeft,
  useRoute,
} from "./router";

/** Milliseconds that the address waits: web views limit how often it may change. */
const PAUSE = 300;

/** The state of the screen `page`, kept in the address, and for coming back to it. */
export function useAddressState<T>(
  page: string,
  read: (query: URLSearchParams) => T,
  write: (state: T) => Record<string, string | undefined>,
): [T, Dispatch<SetStateAction<T>>] {
  const { query } = useRoute();
  const address = query.toString();
  const [state, setState] = useState(() =>
    read(address === "" ? parseRoute(placeLeft(page) ?? "").query : query),
  );
  /** The address that the state has last followed or written. */
  const known = useRef(address);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (address === known.current) return;
    clearTimeout(timer.current);
    known.current = address;
    setState(read(new URLSearchParams(address)));
  }, [address, read]);
  useEffect(() => {
    const to = href(page, [], write(state));
    const now = parseRoute(to).query.toString();
    keepPlaceOf(to);
    timer.current = setTimeout(() => {
      // Whoever has left for another place meanwhile, even one of this screen, is not fetched back.
      const here = parseRoute(addressNow());
      if (here.page !== page || here.query.toString() !== known.current) return;
      known.current = now;
      navigate(to, { replace: true });
    }, PAUSE);
    return () => clearTimeout(timer.current);
  }, [state, page, write]);
  return [state, setState];
}
