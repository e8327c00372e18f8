// The state of the screen, kept in the address.

import { useCallback, useEffect, useRef, useState } from "react";
import { href, navigate, parseRoute, useRoute } from "@/app/router";
import { fromAddress, type Lab, toAddress } from "./state";

/** Milliseconds that the address waits: web views limit how often it may change. */
const ADDRESS_PAUSE = 300;

/** Where the screen as it was left is kept, for coming back by the rail. */
const LEFT = "sibyl.chunk-lab";

/** A value once it has been still for a while. */
export function useStill<T>(value: T, pause: number): T {
  const [still, setStill] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setStill(value), pause);
    return () => clearTimeout(timer);
  }, [value, pause]);
  return still;
}

/** The state with what changes it. */
export type LabControl = { lab: Lab; change: (part: Partial<Lab>) => void };

/** The state of the screen. */
export function useLab(): LabControl {
  const { query } = useRoute();
  const address = query.toString();
  const [lab, setLab] = useState(() =>
    fromAddress(address === "" ? new URLSearchParams(sessionStorage.getItem(LEFT) ?? "") : query),
  );
  const written = useRef(address);
  useEffect(() => {
    if (address === written.current) return;
    written.current = address;
    setLab(fromAddress(new URLSearchParams(address)));
  }, [address]);
  useEffect(() => {
    const to = href("chunk-lab", [], toAddress(lab));
    const now = parseRoute(to).query.toString();
    sessionStorage.setItem(LEFT, now);
    const timer = setTimeout(() => {
      written.current = now;
      navigate(to, { replace: true });
    }, ADDRESS_PAUSE);
    return () => clearTimeout(timer);
  }, [lab]);
  const change = useCallback((part: Partial<Lab>) => setLab((now) => ({ ...now, ...part })), []);
  return { lab, change };
}
