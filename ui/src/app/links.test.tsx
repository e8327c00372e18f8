import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { chooseTransport } from "@/api/client";
import { recorded } from "@/api/recording";
import { type FakeTransport, fakeTransport } from "@/api/transport/fake";
import { pages } from "@/pages";
import { addressOf, linkTo } from "@/state/links";
import { href, parseRoute } from "@/state/router";
import { learnSourceTypes, withSourceTypes } from "@/state/source-types";
import { show } from "@/test/render";
import { clearToasts } from "@/test/toasts";
import { LinkQuestion, useOpenedLinks } from "./OpenedLinks";
import { Toasts } from "./Toasts";

let waiting: string | null;
let fake: FakeTransport;

beforeEach(() => {
  waiting = null;
  fake = fakeTransport({
    "shell.link": () => {
      const link = waiting;
      waiting = null;
      return link;
    },
  });
  chooseTransport(fake);
  clearToasts();
  window.location.hash = "";
});

function Window() {
  useOpenedLinks(pages);
  return (
    <>
      <Toasts />
      <LinkQuestion />
    </>
  );
}

describe("links", () => {
  it("lead to the place they were made of", () => {
    const place = href("standards", ["S2.14(a)(iv)"], { mode: "keyword" });
    const link = linkTo(place);
    expect(link.startsWith("sibyl://standards/")).toBe(true);
    expect(addressOf(link)).toBe(place);
    expect(parseRoute(addressOf(link) ?? "").path).toEqual(["S2.14(a)(iv)"]);
    expect(addressOf(place)).toBe(place);
  });

  it("are told from other text", () => {
    for (const text of ["S2.14", "https://example.org/#/standards", "sibyl:standards", ""])
      expect(addressOf(text)).toBeUndefined();
  });
});

describe("a link from outside", () => {
  it("is followed when the window opens with it", async () => {
    waiting = "sibyl://standards/S2.14";
    show(<Window />);
    await waitFor(() => expect(window.location.hash).toBe("#/standards/S2.14"));
  });

  it("is followed when it comes while the window is open", async () => {
    show(<Window />);
    await waitFor(() => expect(fake.calls).toHaveLength(1));
    waiting = "sibyl://search-lab?q=plan";
    fake.emit({ tags: ["link"] });
    await waitFor(() => expect(window.location.hash).toBe("#/search-lab?q=plan"));
  });

  it("that restricts a search waits until the kinds of sources are told, and asks nobody", async () => {
    const kinds = recorded("source_type.list", {});
    learnSourceTypes([]);
    let tell = () => {};
    const told = new Promise((resolve) => {
      tell = () => resolve(kinds);
    });
    waiting = "sibyl://search-lab?q=plan&pillar=strategy";
    const door = fakeTransport({ "shell.link": () => waiting, "source_type.list": () => told });
    chooseTransport(withSourceTypes(door));
    show(<Window />);
    await waitFor(() => expect(door.calls.map(({ command }) => command)).toContain("shell.link"));
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    expect(screen.queryByRole("alertdialog")).toBeNull();
    tell();
    await waitFor(() => expect(window.location.hash).toBe("#/search-lab?q=plan&pillar=strategy"));
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });

  it.each([
    ["sibyl://library?add=sample", "Add to the library (sample)"],
    ["sibyl://chunk-lab?path=%2Fetc%2Fpasswd", "Open the file /etc/passwd"],
    ["sibyl://search-lab?q=plan&rerank=1", "sends passages to a provider"],
    ["sibyl://library?corpus=x&brand-new=1", "Set brand-new to 1"],
  ])("%s asks first, and by default does nothing", async (link, wants) => {
    waiting = link;
    show(<Window />);
    const question = await screen.findByRole("alertdialog", { name: "Follow this link?" });
    expect(question).toHaveTextContent(wants);
    expect(window.location.hash).toBe("");
    const cancel = within(question).getByRole("button", { name: "Cancel" });
    await waitFor(() => expect(cancel).toHaveFocus());
    await userEvent.keyboard("{Enter}");
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(window.location.hash).toBe("");
  });

  it("is followed whole once that is allowed", async () => {
    waiting = "sibyl://library?add=sample";
    show(<Window />);
    const question = await screen.findByRole("alertdialog", { name: "Follow this link?" });
    await userEvent.click(within(question).getByRole("button", { name: "Follow link" }));
    expect(window.location.hash).toBe("#/library?add=sample");
  });

  it("that doesn’t match anything is shown and not followed", async () => {
    waiting = "sibyl://elsewhere/x";
    show(<Window />);
    await screen.findByText("This link doesn’t match anything in Sibyl");
    expect(window.location.hash).toBe("");
  });
});
