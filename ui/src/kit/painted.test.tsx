import { render, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { useOncePainted } from "./painted";

function Both({ value }: { value: string }) {
  return (
    <>
      <output aria-label="now">{value}</output>
      <output aria-label="later">{useOncePainted(value)}</output>
    </>
  );
}

it("follows a value once the frame that shows it is painted, and leaves out what was overtaken", async () => {
  const seen: (string | null)[] = [];
  const { rerender } = render(<Both value="first" />);
  const later = screen.getByLabelText("later");
  new MutationObserver(() => seen.push(later.textContent)).observe(later, {
    characterData: true,
    subtree: true,
  });
  rerender(<Both value="second" />);
  expect(screen.getByLabelText("now")).toHaveTextContent("second");
  expect(later).toHaveTextContent("first");
  rerender(<Both value="third" />);
  await waitFor(() => expect(later).toHaveTextContent("third"));
  expect(seen).toEqual(["third"]);
});
