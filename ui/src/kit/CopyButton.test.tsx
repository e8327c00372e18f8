import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { show } from "@/test/render";
import { CopyButton } from "./CopyButton";

it.each([
  { takes: true, told: "Copied" },
  { takes: false, told: "Couldn’t copy" },
])("says whether the text was copied: $told", async ({ takes, told }) => {
  const user = userEvent.setup();
  const write = vi.spyOn(navigator.clipboard, "writeText");
  if (!takes) write.mockRejectedValue(new Error("no permission"));
  show(<CopyButton text="S2.14" label="Copy the id" />);
  await user.click(screen.getByRole("button", { name: "Copy the id" }));
  expect(await screen.findByRole("button", { name: told })).toBeInTheDocument();
  expect(write).toHaveBeenCalledWith("S2.14");
  write.mockRestore();
});
