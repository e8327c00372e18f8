import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { show } from "@/test/render";
import { FormDialog } from "./FormDialog";
import { TextField } from "./fields";

type AskedProps = { onConfirm: (name: string) => void; onClose: () => void; problem?: string };

function Asked({ onConfirm, onClose, problem }: AskedProps) {
  const [name, setName] = useState("");
  return (
    <FormDialog
      title="Another name"
      width={420}
      confirm="Rename"
      ready={name !== ""}
      problem={problem}
      onConfirm={() => onConfirm(name)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
    </FormDialog>
  );
}

const told = () => ({ onConfirm: vi.fn<(name: string) => void>(), onClose: vi.fn<() => void>() });

describe("a form in a dialog", () => {
  it("is sent by Enter once it can be, and not before", async () => {
    const user = userEvent.setup();
    const { onConfirm, onClose } = told();
    show(<Asked onConfirm={onConfirm} onClose={onClose} />);
    const dialog = await screen.findByRole("dialog", { name: "Another name" });
    const field = within(dialog).getByRole("textbox", { name: "Name" });
    await user.type(field, "{Enter}");
    expect(onConfirm).not.toHaveBeenCalled();
    await user.type(field, "By words{Enter}");
    expect(onConfirm.mock.calls).toEqual([["By words"]]);
    expect(onClose).not.toHaveBeenCalled();
  });

  it("is left by Escape and by Cancel", async () => {
    const user = userEvent.setup();
    const { onConfirm, onClose } = told();
    show(<Asked onConfirm={onConfirm} onClose={onClose} />);
    await user.type(await screen.findByRole("textbox", { name: "Name" }), "x{Escape}");
    expect(onClose).toHaveBeenCalledTimes(1);
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(onClose).toHaveBeenCalledTimes(2);
    expect(onConfirm).not.toHaveBeenCalled();
  });

  it("says why it cannot be done, as a sentence", async () => {
    show(<Asked {...told()} problem="no run 58: it was deleted" />);
    expect(await screen.findByRole("alert")).toHaveTextContent("No run 58: it was deleted.");
  });
});
