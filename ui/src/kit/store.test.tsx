import { act, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { createStore } from "./store";

it("draws what follows a value again when it changes, and only then", () => {
  const store = createStore("first");
  const drawn = vi.fn();
  function Follower() {
    const value = store.use();
    drawn(value);
    return <p>{value}</p>;
  }
  const { unmount } = render(<Follower />);
  act(() => store.set("second"));
  expect(screen.getByText("second")).toBeInTheDocument();
  act(() => store.set("second"));
  expect(drawn.mock.calls).toEqual([["first"], ["second"]]);
  unmount();
  store.set("third");
  expect(drawn).toHaveBeenCalledTimes(2);
  expect(store.get()).toBe("third");
});

it("tells watchers in the order they came, until they stop", () => {
  const store = createStore(0);
  const heard: string[] = [];
  const stop = store.watch(() => heard.push(`one ${store.get()}`));
  store.watch(() => heard.push(`two ${store.get()}`));
  store.set(1);
  stop();
  store.set(2);
  expect(heard).toEqual(["one 1", "two 1", "two 2"]);
});
