// Numbers, sizes, times and dates the reader's way.

import { following } from "./locale";

const integer = following((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }));
const tenths = following((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }));
const seconds1 = following(
  (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
);
const compact = following(
  (locale) => new Intl.NumberFormat(locale, { notation: "compact", maximumSignificantDigits: 3 }),
);
const percentage = following(
  (locale) => new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 }),
);
const percentage1 = following(
  (locale) => new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 }),
);
const dollars = following(
  (locale) =>
    new Intl.NumberFormat(locale, {
      style: "currency",
      currency: "USD",
      currencyDisplay: "narrowSymbol",
      maximumSignificantDigits: 2,
    }),
);
const clock = following(
  (locale) => new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
);
const dayMonth = following((locale) => new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" }));
const dayMonthYear = following(
  (locale) => new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" }),
);

/** `38,114`. */
export const whole = (value: number) => integer().format(value);

/** `11.3M`; whole below 10,000. */
export const short = (value: number) => (Math.abs(value) < 10_000 ? whole(value) : compact().format(value));

/** A share of 1 as `61%`, or `67.8%` with `digits` 1. Never rounds up to 100%. */
export function percent(share: number, digits: 0 | 1 = 0): string {
  const step = digits === 0 ? 100 : 1000;
  const held = share < 1 ? Math.min(share, Math.floor(share * step) / step || share) : share;
  return (digits === 0 ? percentage : percentage1)().format(held);
}

const made = new Map<string, () => Intl.NumberFormat>();

function places(least: number, most: number): Intl.NumberFormat {
  const key = `${least} ${most}`;
  const known =
    made.get(key) ??
    following(
      (locale) =>
        new Intl.NumberFormat(locale, { minimumFractionDigits: least, maximumFractionDigits: most }),
    );
  made.set(key, known);
  return known();
}

// Intl rounds the shortest writing of a number rather than the number: 1.005 would come out as 1.01.
const rounded = (value: number, digits: number) => Number(value.toFixed(digits));

/** A decimal with exactly `digits` places, rounded as `toFixed` does. */
export const decimal = (value: number, digits: number) =>
  places(digits, digits).format(rounded(value, digits));

/** A decimal with `digits` places at most, rounded alike. */
export const upTo = (value: number, digits: number) => places(0, digits).format(rounded(value, digits));

const mark = following(
  (locale) => new Intl.NumberFormat(locale).formatToParts(0.5).find((part) => part.type === "decimal")?.value,
);

/** What stands before the decimals of a number. */
export const decimalMark = () => mark() ?? ".";

/** `231 MB`, decimal units. */
export function bytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let size = value;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  const format = unit === 0 || size >= 100 ? integer : tenths;
  return `${format().format(size)} ${units[unit]}`;
}

/** `0.6 ms`, `148 ms`, `2.4 s`. */
export function milliseconds(value: number): string {
  if (value >= 999.5) return `${seconds1().format(value / 1000)} s`;
  return `${(value >= 10 ? integer : tenths)().format(value)} ms`;
}

/** `38 s`, `4 min 12 s`, `2 h 5 min`. */
export function seconds(value: number): string {
  const total = Math.max(0, Math.round(value));
  if (total < 60) return `${total} s`;
  if (total < 3600)
    return total % 60 === 0 ? `${total / 60} min` : `${Math.floor(total / 60)} min ${total % 60} s`;
  return `${Math.floor(total / 3600)} h ${Math.floor((total % 3600) / 60)} min`;
}

/**
 * A message of the engine as a sentence of its own. It begins with a capital, unless with a name or a path, and ends
 * with a full stop.
 */
export function sentence(message: string): string {
  const words = message.trim();
  const begun = /^\p{L}+(?![\p{L}\p{N}]|[-._/\\@:#=+](?=\S))/u.test(words)
    ? words.charAt(0).toUpperCase() + words.slice(1)
    : words;
  return words === "" || /[.!?…:]["”’)\]]?$/.test(begun) ? begun : `${begun}.`;
}

/** `$0.14`, two significant digits. */
export const cost = (value: number) => dollars().format(value);

/** `14:31` today, `12 Nov, 09:14` this year, else with the year. */
export function moment(value: string | number | Date, now = new Date()): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return "—";
  if (date.toDateString() === now.toDateString()) return clock().format(date);
  const day = date.getFullYear() === now.getFullYear() ? dayMonth : dayMonthYear;
  return `${day().format(date)}, ${clock().format(date)}`;
}
