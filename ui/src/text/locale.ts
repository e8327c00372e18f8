// How numbers and dates are written. The words stay English; what stands between the digits is the reader's choice.

/** Writes numbers and dates as the system does. */
export const SYSTEM = "system";

let locale: string | undefined;

/** Chooses a locale such as `sv-SE`, or {@link SYSTEM}. One that nobody knows counts as the system's. */
export function writeLike(chosen: string): void {
  try {
    locale = chosen === SYSTEM ? undefined : Intl.getCanonicalLocales(chosen)[0];
  } catch {
    locale = undefined;
  }
}

/** A formatter that follows the choice. */
export function following<F>(make: (locale: string | undefined) => F): () => F {
  let made: { locale: string | undefined; format: F } | undefined;
  return () => {
    if (made?.locale !== locale || !made) made = { locale, format: make(locale) };
    return made.format;
  };
}
