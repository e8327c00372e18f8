// The log in days, as its list is headed.

/** Headings of the list. */
export type Day = "today" | "yesterday" | "week" | "earlier";

const DAY = 24 * 60 * 60 * 1000;

/** The heading that a moment stands under. */
export function dayOf(at: string, now = new Date()): Day {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const time = new Date(at).getTime();
  if (time >= midnight) return "today";
  // A day before a change of the clocks is an hour longer or shorter.
  const before = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1).getTime();
  if (time >= before) return "yesterday";
  return time >= midnight - 6 * DAY ? "week" : "earlier";
}
