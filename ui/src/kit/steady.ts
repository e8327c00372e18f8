import { useCallback, useLayoutEffect, useRef } from "react";

/** A function that never changes and does what the latest one does: parts that are kept as drawn may hold on to it. */
export function useSteady<Arguments extends unknown[]>(run: (...given: Arguments) => void) {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...given: Arguments) => latest.current(...given), []);
}
