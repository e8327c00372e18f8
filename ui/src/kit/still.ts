import { useEffect, useState } from "react";

/** A value once it has been still for `pause` milliseconds. */
export function useStill<T>(value: T, pause: number): T {
  const [still, setStill] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setStill(value), pause);
    return () => clearTimeout(timer);
  }, [value, pause]);
  return still;
}
