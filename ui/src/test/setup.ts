import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// A busy machine is slow, not wrong.
configure({ asyncUtilTimeout: 10_000 });

// What jsdom leaves out and the kit needs.
class NoResizeObserver implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver = NoResizeObserver;
window.matchMedia = (query) => ({
  matches: false,
  media: query,
  onchange: null,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  addListener: () => undefined,
  removeListener: () => undefined,
  dispatchEvent: () => false,
});
Element.prototype.scrollIntoView = () => undefined;
Element.prototype.scrollTo = () => undefined;
// A list in jsdom is as tall as a window, so that virtual rows exist.
for (const [name, size] of [
  ["offsetHeight", 600],
  ["offsetWidth", 800],
  ["clientHeight", 600],
  ["clientWidth", 800],
] as const)
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => size });

afterEach(() => {
  cleanup();
  localStorage.clear();
  window.location.hash = "";
});
