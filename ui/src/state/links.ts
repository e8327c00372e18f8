// Links that lead into the window from outside: `sibyl://standards/S2.14(a)` is the place `#/standards/S2.14(a)`.

const SCHEME = "sibyl://";

/** The link that leads to an address of the window. */
export const linkTo = (address: string): string => SCHEME + address.replace(/^#\/?/, "");

/** The address that a link leads to, or that the text itself is; nothing where it is neither. */
export function addressOf(text: string): string | undefined {
  const link = text.trim();
  if (link.startsWith("#/")) return link;
  return link.startsWith(SCHEME) ? `#/${link.slice(SCHEME.length)}` : undefined;
}
