import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from "react";
import { address as addressNow, href, navigate, parseRoute, useRoute } from "./router";

/** Milliseconds that the address waits: web views limit how often it may change. */
const PAUSE = 300;

/** The state of the screen `page`, kept in the address, and for the session for coming back by the rail. */
export function useAddressState<T>(
  page: string,
  read: (query: URLSearchParams) => T,
  write: (state: T) => Record<string, string | undefined>,
): [T, Dispatch<SetStateAction<T>>] {
  const left = `sibyl.${page}`;
  const { query } = useRoute();
  const address = query.toString();
  const [state, setState] = useState(() =>
    read(address === "" ? new URLSearchParams(sessionStorage.getItem(left) ?? "") : query),
  );
  const written = useRef(address);
  useEffect(() => {
    if (address === written.current) return;
    written.current = address;
    setState(read(new URLSearchParams(address)));
  }, [address, read]);
  useEffect(() => {
    const to = href(page, [], write(state));
    const now = parseRoute(to).query.toString();
    sessionStorage.setItem(left, now);
    const timer = setTimeout(() => {
      // Whoever has left for another screen meanwhile is not fetched back.
      if (parseRoute(addressNow()).page !== page) return;
      written.current = now;
      navigate(to, { replace: true });
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [state, page, left, write]);
  return [state, setState];
}
