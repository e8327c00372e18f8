import { screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { Toasts } from "@/app/Toasts";
import { show } from "@/test/render";
import { clearToasts } from "@/test/toasts";
import { copyText } from "./copy";

const write = vi.fn<(text: string) => Promise<void>>();

beforeEach(() => {
  clearToasts();
  Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: write } });
});

it("says that a text was copied once it was", async () => {
  write.mockResolvedValue(undefined);
  show(<Toasts />);
  await copyText("/home/ada/reports", "Folder path copied");
  expect(write).toHaveBeenCalledWith("/home/ada/reports");
  expect(await screen.findByText("Folder path copied")).toBeInTheDocument();
});

it.each([
  [
    new DOMException("write permission denied", "NotAllowedError"),
    "Couldn’t copy. Write permission denied. Copy the text below instead.",
  ],
  [new DOMException("", "NotAllowedError"), "Couldn’t copy. Copy the text below instead."],
  [new TypeError("undefined is not an object"), "Couldn’t copy. Copy the text below instead."],
])(
  "shows the text where the clipboard refuses it, with its reason if it gives one: %s",
  async (thrown, told) => {
    write.mockRejectedValue(thrown);
    show(<Toasts />);
    await copyText("/home/ada/reports", "Folder path copied");
    expect(await screen.findByText("/home/ada/reports")).toBeInTheDocument();
    expect(screen.getByText(told)).toBeInTheDocument();
    expect(screen.queryByText("Folder path copied")).toBeNull();
  },
);
