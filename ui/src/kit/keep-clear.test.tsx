import { render } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { keepClear } from "./keep-clear";

const foot = () => document.documentElement.style.getPropertyValue("--foot");

describe("what messages keep clear of", () => {
  it("tells its height while it is on screen, and no longer", () => {
    const height = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "offsetHeight");
    Object.defineProperty(HTMLElement.prototype, "offsetHeight", { configurable: true, get: () => 97 });
    const { unmount } = render(<div ref={keepClear} data-keep-clear />);
    expect(foot()).toBe("97px");
    unmount();
    expect(foot()).toBe("");
    if (height) Object.defineProperty(HTMLElement.prototype, "offsetHeight", height);
  });
});
