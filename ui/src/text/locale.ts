// How numbers and dates are written. The words stay English; what stands between the digits is the reader's choice.

/** Writes numbers and dates as the system does. */
export const SYSTEM = "system";

/** Written by where the system names no locale, as on a server whose locale is `C`. */
const FALLBACK = "en";

/**
 * The BCP 47 tag of a locale as a system or web view names it (`sv-SE`, `sv_SE.UTF-8`); nothing where it names none
 * (`C.UTF-8`, `POSIX`) or none that is valid. Variants go: the one for `POSIX` writes numbers without grouping.
 */
export function tagOf(name: string): string | undefined {
  const plain = name.replace(/[.@].*$/, "").replaceAll("_", "-");
  if (/^(c|posix)$/i.test(plain)) return undefined;
  try {
    const { language, script, region } = new Intl.Locale(plain);
    return [language, script, region].filter(Boolean).join("-");
  } catch {
    return undefined;
  }
}

/** The system's locale as a valid tag. */
export const systemLocale = (): string => tagOf(navigator.language) ?? FALLBACK;

let locale = systemLocale();

/** Chooses a locale such as `sv-SE`, or {@link SYSTEM}. One that nobody knows counts as the system's. */
export function writeLike(chosen: string): void {
  locale = (chosen === SYSTEM ? undefined : tagOf(chosen)) ?? systemLocale();
}

/** A formatter that follows the choice. */
export function following<F>(make: (locale: string) => F): () => F {
  let made: { locale: string; format: F } | undefined;
  return () => {
    if (made?.locale !== locale || !made) made = { locale, format: make(locale) };
    return made.format;
  };
}
