import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { show } from "@/test/render";
import { Passage } from "./Passage";

it("sets what people ask apart from what is said, with the words that matched", () => {
  const chunk_text = "[IFRS S2]\n\n- **(iv) Plan.** Its assumptions.\n\n  *Asked as:* net zero plan; aims.";
  show(
    <Passage
      passage={{ chunk_text, metadata: {}, source_type: "ifrs_s2", title: "S2", pages: null, path: "s2.md" }}
      terms={["plan"]}
    />,
  );
  const quiet = screen.getByText(/^Asked as: net zero/);
  expect(quiet.tagName).toBe("BDI");
  expect(quiet).toHaveTextContent("Asked as: net zero plan; aims.");
  expect(quiet).not.toHaveTextContent("Its assumptions");
  expect([...document.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual(["Plan", "plan"]);
});
