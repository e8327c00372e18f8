import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { declared, models } from "@/api/fake/settings";
import type { FakeHandlers } from "@/api/transport/fake";
import type { SettingView } from "@/api/types";
import { sent } from "@/test/page";
import { isLocal } from "./providers";
import { open, row, write } from "./testing";

describe("a key", () => {
  it("is saved once, tested and removed, and never stands on the screen", async () => {
    open();
    const key = await row("OpenRouter key");
    await userEvent.click(await key.findByRole("button", { name: "Replace" }));
    const field = key.getByLabelText("OpenRouter key, new value");
    expect(field).toHaveAttribute("type", "password");
    expect(field).toHaveFocus();
    await write(field, "sk-or-secret{Enter}");
    await userEvent.click(await key.findByRole("button", { name: "Test" }));
    expect(await key.findByText(/answered in 214 ms, 1536 dimensions/)).toBeInTheDocument();
    expect(sent("secret.set")).toEqual([{ secret: "openrouter", value: "sk-or-secret" }]);
    expect(document.body.innerHTML).not.toContain("sk-or-secret");
    await userEvent.click(key.getByRole("button", { name: "Remove" }));
    expect(await key.findByText(/No key is set/)).toBeInTheDocument();
  });

  it("that is refused says why and can be mended", async () => {
    open({
      "secret.test": () => {
        throw {
          code: "embedding_unauthorised",
          message: "https://openrouter.ai rejected the API key (HTTP 401)",
        };
      },
    });
    const key = await row("OpenRouter key");
    await userEvent.click(await key.findByRole("button", { name: "Test" }));
    expect(await key.findByText("The provider rejected the key")).toBeInTheDocument();
    expect(key.getByText(/HTTP 401/)).toBeInTheDocument();
  });

  it("comes from the environment where no keychain answers, and the screen says so", async () => {
    open({}, { noKeychain: "no Secret Service on the session bus", environment: ["openrouter"] });
    const key = await row("OpenRouter key");
    expect(await key.findByText("From OPENROUTER_API_KEY")).toBeInTheDocument();
    expect(key.getByText(/no Secret Service on the session bus/)).toHaveTextContent(
      "the session bus. Sibyl uses OPENROUTER_API_KEY from the environment instead",
    );
    expect(key.queryByRole("button", { name: "Replace" })).toBeNull();
    const reranker = await row("Reranker key");
    expect(reranker.getByText(/never written to a plain file/)).toBeInTheDocument();
    expect(reranker.queryByRole("button", { name: "Save" })).toBeNull();
  });
});

describe("the default search", () => {
  it("says what differs from the built-in ranking, and brings it back", async () => {
    open({ ...valued({ search_feedback: false }), "search.make_usual": () => ({}) });
    const usual = await row("Default search");
    expect(await usual.findByText("Changed: words from the top results")).toBeInTheDocument();
    await userEvent.click(usual.getByRole("button", { name: "Restore the built-in ranking" }));
    expect(sent("search.make_usual")).toEqual([{ search: null }]);
  });
});

/** The settings with other values. */
const valued = (values: Record<string, SettingView["value"]>): FakeHandlers => ({
  "settings.get": () => declared().map((each) => ({ ...each, value: values[each.param.name] ?? each.value })),
});

const LOCAL = "http://127.0.0.1:11434/v1";

describe("a provider on this computer", () => {
  it("waits for no key and is tested without one", async () => {
    open(
      {
        ...valued({ remote_embedding: true, base_url: LOCAL, rerank_base_url: LOCAL }),
        "secret.status": () =>
          (["openrouter", "rerank"] as const).map((secret) => ({
            secret,
            source: "none",
            variable: "OPENROUTER_API_KEY",
            keychain_error: null,
          })),
      },
      {},
    );
    for (const [name, secret] of [
      ["OpenRouter key", "openrouter"],
      ["Reranker key", "rerank"],
    ] as const) {
      const key = await row(name);
      await userEvent.click(await key.findByRole("button", { name: "Test" }));
      expect(await key.findByText(/answered in/)).toBeInTheDocument();
      expect(sent("secret.test")).toContainEqual({ secret });
    }
    expect(screen.queryByText("The remote model needs a key.")).toBeNull();
  });

  it("is known by its address as the engine knows it", () => {
    for (const address of ["http://localhost:1/v1", LOCAL, "http://127.9.8.7", "http://[::1]:8080/v1"])
      expect(isLocal(address)).toBe(true);
    for (const address of [
      "https://openrouter.ai/api/v1",
      "http://127.0.0.1.example.org",
      "http://10.0.0.1",
      "",
    ])
      expect(isLocal(address)).toBe(false);
  });

  it.each([
    [{}, "Nothing leaves this computer: no remote model"],
    [{ remote_embedding: true }, "chunk text and queries are sent to openrouter.ai. Nothing else"],
    [
      { remote_embedding: true, base_url: LOCAL },
      "Nothing leaves this computer: the providers in use run on it.",
    ],
    [
      { remote_embedding: true, rerank_base_url: LOCAL },
      "to openrouter.ai. Nothing else leaves this computer.",
    ],
    [{ rerank_base_url: "https://api.cohere.com/v2" }, "Nothing leaves this computer: no remote model"],
    [
      { remote_embedding: true, base_url: LOCAL, rerank_base_url: "https://api.cohere.com/v2" },
      "Sibyl sends nothing to a provider without a key",
    ],
  ] as const)("or elsewhere is sent what the screen says: %j", async (values, told) => {
    open(valued(values));
    await row("Reranker key");
    await waitFor(() =>
      expect(screen.getByText(/^(Nothing leaves this|For corpora that allow it)/)).toHaveTextContent(told),
    );
  });

  it("and one elsewhere with a key are told apart", async () => {
    const away = { remote_embedding: true, rerank_base_url: "https://api.cohere.com/v2" };
    open(valued(away), { environment: ["openrouter", "rerank"] });
    expect(await screen.findByText(/^For corpora that allow it/)).toHaveTextContent(
      "queries and the passages to rerank to api.cohere.com. Nothing else leaves this computer.",
    );
  });
});

describe("models", () => {
  it("are listed with coverage, and what is missing is embedded, at once where it costs nothing", async () => {
    let price: number | null = 0.11;
    open({
      "model.list": () => models.map((each) => ({ ...each, served: true })),
      "embed.estimate": () => ({ texts: 40, tokens: 9_000, cost: price }),
    });
    const coverage = await row("Models and coverage");
    expect(
      await coverage.findByRole("meter", { name: "Coverage of openai/text-embedding-3-small" }),
    ).toBeInTheDocument();
    expect(coverage.getByText(/a sentence model that runs on this computer/)).toBeInTheDocument();
    await waitFor(() =>
      expect(coverage.getByRole("button", { name: "Embed the remaining chunks" })).toBeEnabled(),
    );
    await userEvent.click(coverage.getByRole("button", { name: "Embed the remaining chunks" }));
    await waitFor(() => expect(sent("embed.estimate")).toHaveLength(1));
    expect(sent("embed.start")).toEqual([]);
    price = null;
    await userEvent.click(coverage.getByRole("button", { name: "Embed the remaining chunks" }));
    await waitFor(() => expect(sent("embed.start")).toHaveLength(1));
  });

  it("of a provider join those that ship, by arrow or click", async () => {
    open();
    const choice = await screen.findByRole("radiogroup", { name: "Embedding model" });
    const inside = await within(choice).findByRole("radio", { name: /all-MiniLM-L6-v2/ });
    expect(inside).toHaveAttribute("aria-checked", "true");
    act(() => inside.focus());
    await userEvent.keyboard("{ArrowLeft}");
    await waitFor(() => expect(sent("settings.set")).toEqual([{ values: { remote_embedding: true } }]));
    await waitFor(() =>
      expect(within(choice).getByRole("radio", { name: /text-embedding-3-small/ })).toHaveAttribute(
        "aria-checked",
        "true",
      ),
    );
    expect(screen.getByText(/^For corpora that allow it/)).toBeInTheDocument();
  });
});
