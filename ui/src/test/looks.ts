// How elements look in jsdom, at a price that a whole screen can pay.
//
// Style sheets of the screens are not read in tests. An element then looks as its kind does in the browser's own
// sheet, with its own style over that. By itself jsdom works this out anew for each element from every rule of
// that sheet. Whoever asks for a name, a role or a place asks about hundreds of elements, and this took half the
// time of the tests.

declare global {
  interface Window {
    looksBySheets?: typeof window.getComputedStyle;
  }
}

/** jsdom's own reading, for a test that brings a style sheet. Files that share a window find it replaced already. */
export const looksBySheets: typeof window.getComputedStyle =
  window.looksBySheets ?? window.getComputedStyle.bind(window);
window.looksBySheets = looksBySheets;

/** What the browser's own sheet goes by beside the name of the element. */
const TELLING = ["type", "hidden", "open", "popover", "dir"];
/** What an element takes from those around it, of what jsdom works out. */
const INHERITED = new Set(["visibility", "pointer-events", "pointerEvents"]);

const kinds = new Map<string, CSSStyleDeclaration>();

/** How an element looks that has no style of its own. */
function kindOf(element: Element): CSSStyleDeclaration {
  const telling = TELLING.filter((name) => element.hasAttribute(name)).map(
    (name) => [name, element.getAttribute(name) ?? ""] as const,
  );
  const key = `${element.localName} ${telling.flat().join(" ")}`;
  let kind = kinds.get(key);
  if (!kind) {
    const plain = document.createElementNS(element.namespaceURI, element.localName);
    for (const [name, value] of telling) plain.setAttribute(name, value);
    kind = looksBySheets(plain);
    kinds.set(key, kind);
  }
  return kind;
}

const own = (element: Element, property: string): string => {
  const style = (element as HTMLElement).style as CSSStyleDeclaration | undefined;
  if (!style || style.length === 0) return "";
  return property in style
    ? String(style[property as keyof CSSStyleDeclaration])
    : style.getPropertyValue(property);
};

function valueAt(element: Element, property: string): string {
  if (INHERITED.has(property))
    for (let each: Element | null = element; each; each = each.parentElement) {
      const value = own(each, property);
      if (value && value !== "inherit") return value;
    }
  const kind = kindOf(element);
  return (
    own(element, property) ||
    (property in kind ? String(kind[property as keyof CSSStyleDeclaration]) : kind.getPropertyValue(property))
  );
}

window.getComputedStyle = (element) =>
  new Proxy(kindOf(element), {
    get(kind, name) {
      if (name === "getPropertyValue") return (property: string) => valueAt(element, property);
      const value = Reflect.get(kind, name, kind);
      return typeof name === "string" && typeof value === "string" ? valueAt(element, name) : value;
    },
  });
