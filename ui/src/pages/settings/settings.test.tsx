import { act, configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { chooseTransport } from "@/api/client";
import { handlers as base } from "@/api/fake";
import { chatModels } from "@/api/fake/ask";
import { declared, type Machine, models, settingsHandlers } from "@/api/fake/settings";
import { type FakeHandlers, type FakeTransport, fakeTransport } from "@/api/transport/fake";
import type { AppInfo, SettingView } from "@/api/types";
import { defineAll } from "@/app/shortcuts";
import { keysOf } from "@/kit/shortcuts";
import type { PaletteItem } from "@/state/palette-sources";
import { DEFAULTS, preferences, setPreferences, usePreferences } from "@/state/preferences";
import { href, parseRoute } from "@/state/router";
import { show } from "@/test/render";
import { lockedNow } from "../../../licences.mjs";
import SettingsPage from "./index";
import licences from "./licences.json";
import { newestFirst } from "./log";
import { page } from "./page";
import { isLocal } from "./providers";

// Nothing here is hidden, and to find that out for a page this long takes longer than the tests.
configure({ defaultHidden: true });

let fake: FakeTransport;

function connect(changed: FakeHandlers = {}, machine: Machine = {}) {
  fake = fakeTransport({
    ...base,
    ...settingsHandlers(machine),
    "model.list": () => [...models],
    ...changed,
  });
  chooseTransport(fake);
}

function open(changed: FakeHandlers = {}, machine: Machine = {}) {
  connect(changed, machine);
  return show(<SettingsPage />);
}

const row = async (name: string) => within(await screen.findByRole("group", { name }));
const sent = (command: string) =>
  fake.calls.filter((each) => each.command === command).map((each) => each.input);
// In jsdom every edge lies at 0, 0: a click on a field would grab the handle between two panes.
const write = async (field: HTMLElement, keys: string) => {
  act(() => {
    field.focus();
    (field as HTMLInputElement).select();
  });
  await userEvent.keyboard(keys);
};

beforeEach(() => {
  setPreferences(DEFAULTS);
  window.location.hash = "";
});

describe("settings", () => {
  it("tell what they could not load where it would stand", async () => {
    const broken = (command: string) => () => {
      throw { code: "storage", message: `${command} failed` };
    };
    const commands = ["ocr.state", "app.info", "secret.status"];
    open(Object.fromEntries(commands.map((command) => [command, broken(command)])));
    const scans = await row("OCR of scanned pages");
    expect(await scans.findByRole("alert")).toHaveTextContent("ocr.state failed");
    const storage = within(document.querySelector("section[aria-label=Storage]") as HTMLElement);
    await storage.findByText("app.info failed", { exact: false });
    await storage.findByText("secret.status failed", { exact: false });
    expect(storage.getByRole("img", { name: /^Disk use by part/ })).toBeInTheDocument();
  });

  it("list the languages that scanned pages can be read in, and keep one of them chosen", async () => {
    open();
    const languages = await row("Languages of scanned pages");
    const english = await languages.findByRole("switch", { name: /\(eng\)$/ });
    expect(english).toBeChecked();
    expect(english).toBeDisabled();
    await userEvent.click(languages.getByRole("switch", { name: /\(swe\)$/ }));
    expect(sent("settings.set")).toEqual([{ values: { ocr_languages: "eng+swe" } }]);
    await waitFor(() => expect(english).toBeEnabled());
  });

  it("tell how OCR is installed where it is not", async () => {
    open({
      "ocr.state": () => ({
        installed: false,
        languages: [],
        install: "install it with `sudo apt install tesseract-ocr`",
      }),
    });
    const scans = await row("OCR of scanned pages");
    await scans.findByText(
      "Not installed. To read scanned pages, install it with sudo apt install tesseract-ocr.",
    );
    expect(screen.queryByRole("group", { name: "Languages of scanned pages" })).toBeNull();
  });

  it("ask the chat provider for its models when that is wanted, and save the one that is chosen", async () => {
    open({ "answer.models": () => chatModels });
    const model = await row("Chat model");
    expect(model.getByRole("textbox", { name: "Chat model" })).toHaveValue("openai/gpt-4.1-mini");
    expect(sent("answer.models")).toEqual([]);
    await userEvent.click(model.getByRole("button", { name: "Choose from the provider’s list" }));
    const sheet = await screen.findByRole("dialog", { name: "Chat model" });
    const priced = await within(sheet).findByRole("checkbox", { name: /gpt-4.1-mini/ });
    expect(priced).toHaveTextContent("$0.4 in, $1.6 out");
    // One without prices is listed, too.
    await userEvent.click(within(sheet).getByRole("checkbox", { name: "writer-small" }));
    expect(sent("settings.set")).toEqual([{ values: { chat_model: "writer-small" } }]);
    await waitFor(() =>
      expect(model.getByRole("textbox", { name: "Chat model" })).toHaveValue("writer-small"),
    );
  });

  it("show every setting that is declared, also one that came later", async () => {
    const later: SettingView = {
      param: {
        name: "worker_threads",
        kind: "integer",
        min: 1,
        max: 16,
        options: [],
        default: 4,
        unit: "threads",
        description: "Threads that read files.",
      },
      value: 4,
    };
    const { "settings.get": settings = () => [] } = settingsHandlers();
    open({
      "settings.get": async (input, call) => [...((await settings(input, call)) as SettingView[]), later],
    });
    const field = (await row("Worker threads")).getByRole("textbox", { name: "Worker threads" });
    expect(field).toHaveValue("4");
    expect(
      within(screen.getByRole("navigation")).getByRole("link", { name: "Advanced" }),
    ).toBeInTheDocument();
    for (const name of [
      "Provider",
      "Remote model",
      "Dimensions",
      "Pause between batches",
      "Price",
      "Time limit",
      "Largest file",
    ])
      expect(screen.getByRole("textbox", { name })).toBeInTheDocument();
  });

  it("save on change, and hold back what does not fit with the reason", async () => {
    open();
    const pause = (await row("Pause between batches")).getByRole("textbox");
    for (const field of screen.getAllByRole("textbox")) expect(field).not.toHaveAttribute("aria-invalid");
    await write(pause, "70000{Enter}");
    expect(await screen.findByText("A whole number from 0 to 60,000.")).toBeInTheDocument();
    expect(pause).toHaveAttribute("aria-invalid", "true");
    expect(sent("settings.set")).toEqual([]);
    await write(pause, "250{Enter}");
    await waitFor(() => expect(sent("settings.set")).toEqual([{ values: { batch_pause: 250 } }]));
    expect(await (await row("Pause between batches")).findByText("Saved")).toBeInTheDocument();
    await userEvent.click(
      await (await row("Pause between batches")).findByRole("button", { name: "Reset to the default: 0" }),
    );
    await waitFor(() => expect(pause).toHaveValue("0"));
  });

  it("tell the engine's refusal in its place and keep what was typed", async () => {
    open();
    const provider = await row("Provider");
    await write(provider.getByRole("textbox"), "openrouter{Enter}");
    expect(await provider.findByRole("alert")).toHaveTextContent(
      "takes an address that begins with https://",
    );
    expect(provider.getByRole("textbox")).toHaveValue("openrouter");
    await userEvent.keyboard("{Escape}");
    expect(provider.getByRole("textbox")).toHaveValue("https://openrouter.ai/api/v1");
  });

  it("write a price in dollars and keep it in millionths", async () => {
    open();
    const price = (await row("Price")).getByRole("textbox");
    expect(price).toHaveValue("0.02");
    await write(price, "0.13{Enter}");
    await waitFor(() =>
      expect(sent("settings.set")).toEqual([{ values: { price_per_million_tokens: 130_000 } }]),
    );
  });

  it("tell a failure in its place", async () => {
    open({
      "settings.get": () => {
        throw { code: "storage", message: "disk I/O error" };
      },
    });
    expect(await screen.findByText("Disk I/O error.")).toBeInTheDocument();
    expect(await screen.findByText("Storage")).toBeInTheDocument();
  });
});

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
    const own = declared().map((each) =>
      each.param.name === "remote_embedding"
        ? { param: { ...each.param, name: "search_feedback", default: true }, value: false }
        : each,
    );
    open({ "settings.get": () => own, "search.make_usual": () => ({}) });
    const usual = await row("Default search");
    expect(await usual.findByText("Changed: words from the top results")).toBeInTheDocument();
    await userEvent.click(usual.getByRole("button", { name: "Bring the built-in ranking back" }));
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

describe("the library", () => {
  it("is backed up where the dialog says", async () => {
    open();
    const backup = await row("Back up");
    await userEvent.click(backup.getByRole("button", { name: "Back up…" }));
    expect(await backup.findByText(/221 MB written to \/home\/ada\/sibyl-/)).toBeInTheDocument();
  });

  it("is left alone where the dialog was closed", async () => {
    open({ "shell.save_file": () => ({ paths: [] }) });
    const backup = await row("Back up");
    await userEvent.click(backup.getByRole("button", { name: "Back up…" }));
    expect(sent("library.back_up")).toEqual([]);
  });

  it("makes a backup, lists it, and asks before it goes back to one", async () => {
    open();
    const backups = await row("Backups");
    await backups.findByText("1 backup, 220 MB");
    await userEvent.click(backups.getByRole("button", { name: "Back up now" }));
    await backups.findByText("221 MB written and checked");
    await backups.findByText("2 backups, 441 MB");
    await userEvent.click(backups.getAllByRole("button", { name: "Restore" })[1] as HTMLElement);
    await screen.findByText(/becomes your library when you next start Sibyl/);
    await userEvent.click(screen.getByTestId("confirm"));
    await waitFor(() => expect(sent("backup.restore")).toEqual([{ name: "2026-01-02T08-00-00Z.sibyl" }]));
  });

  it("rescues what can be read and names what was lost", async () => {
    open();
    const rescue = await row("Rescue");
    await userEvent.click(rescue.getByRole("button", { name: "Rescue what can be read" }));
    await rescue.findByText("38,143 rows saved, 12 lost");
    rescue.getByText("chunk: 38,102 saved, 12 lost");
    rescue.getByText("Ingest these documents again: acme/2024.pdf");
  });

  it("asks before the library moves to a folder that another program writes to", async () => {
    open({ "shell.pick_folders": () => ({ paths: ["/home/ann/Dropbox/sibyl"] }) });
    const folder = await row("Data folder");
    await userEvent.click(await folder.findByRole("button", { name: "Move…" }));
    await screen.findByText(/synchronised by Dropbox/);
    expect(sent("library.move")).toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "Choose another folder" }));
    expect(sent("library.move")).toEqual([]);
  });

  it("is checked and rebuilt with readable reports", async () => {
    open();
    const check = await row("Check");
    await userEvent.click(check.getByRole("button", { name: "Check now" }));
    expect(await check.findByText("1 finding")).toBeInTheDocument();
    expect(check.getByText(/2 words of chunks are missing from the keyword index/)).toBeInTheDocument();
    expect(check.getByText("Choose Rebuild below to recreate the derived data.")).toBeInTheDocument();
    const rebuild = await row("Rebuild");
    await userEvent.click(rebuild.getByRole("button", { name: "Rebuild" }));
    expect(await rebuild.findByText("Rebuilt in 4.2 s")).toBeInTheDocument();
    expect(rebuild.getByText("38,114")).toBeInTheDocument();
  });
});

describe("disk use", () => {
  it("is told by what takes the room, and what is free is given back", async () => {
    open();
    const bar = await screen.findByRole("img", { name: /Disk use by part/ });
    expect(bar).toHaveAccessibleName(/Vectors 96.*Keyword index 34.*Unused space 4/);
    await userEvent.click(screen.getByRole("button", { name: "Compact" }));
    expect(await screen.findByText("4 MB freed")).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText("Unused space")).toBeNull());
    await userEvent.click(screen.getByRole("button", { name: "Compact" }));
    expect(await screen.findByText("There was no unused space")).toBeInTheDocument();
  });
});

describe("licences", () => {
  it("are those of what ships now; `npm run licences` rewrites them", () => {
    expect(licences.locked).toBe(lockedNow());
    expect(licences.parts.filter((each) => each.licence === "")).toEqual([]);
  });

  it("are filtered by name or licence and show their text", async () => {
    open();
    const filter = await screen.findByRole("textbox", { name: "Filter by name or licence" });
    await write(filter, "mpl");
    const list = screen.getByRole("listbox", { name: "Crates and packages" });
    const [first] = await within(list).findAllByRole("option");
    expect(first).toHaveTextContent("MPL-2.0");
    await write(filter, "react-dom");
    fireEvent.click(await within(list).findByText("react-dom"));
    expect(screen.getByRole("region", { name: /Licence of react-dom/ })).toHaveTextContent(
      "Permission is hereby granted",
    );
    await write(filter, "no such part");
    expect(await screen.findByText("No component matches “no such part”.")).toBeInTheDocument();
  });
});

describe("the log", () => {
  it("has the newest first, narrows to a level and opens a line", async () => {
    open();
    const list = await screen.findByRole("listbox", { name: "Log lines" });
    expect(within(list).getAllByRole("option")[0]).toHaveTextContent("search mode=hybrid ms=409");
    await userEvent.click(screen.getByRole("radio", { name: "Errors 1" }));
    await waitFor(() => expect(within(list).getAllByRole("option")).toHaveLength(1));
    fireEvent.click(within(list).getByRole("option"));
    expect(screen.getByRole("region", { name: "Log line" })).toHaveTextContent("job=7");
  });

  it("has the newest line first, whatever order they came in", () => {
    const line = (at: string) => ({ at, level: "info", target: "a", message: at, fields: {} });
    const times = ["2025-11-19T14:00:00Z", "2025-11-19T15:00:00Z"];
    expect(newestFirst(times.map(line)).map(({ at }) => at)).toEqual([...times].reverse());
  });

  it("is copied as the engine gathers it, with the word that nothing private is in it", async () => {
    const user = userEvent.setup();
    open({ "library.diagnostics": () => ({ text: "Sibyl 0.1.0\ndoctor: sound" }) });
    await user.click(await screen.findByRole("button", { name: "Copy diagnostics" }));
    await screen.findByText("Copied");
    expect(await navigator.clipboard.readText()).toBe("Sibyl 0.1.0\ndoctor: sound");
    expect(screen.getByText("keys and document text removed")).toBeInTheDocument();
  });
});

describe("the data folder", () => {
  const moving = (to: string): FakeHandlers => ({ "shell.pick_folders": () => ({ paths: [to] }) });

  it("moves, says where the library lies next and what stays, and offers to quit", async () => {
    open(moving("/mnt/drive/sibyl"));
    const folder = await row("Data folder");
    await userEvent.click(await folder.findByRole("button", { name: "Move…" }));
    await folder.findByText("From the next start, the library will be in /mnt/drive/sibyl.");
    expect(folder.getByRole("status")).toHaveTextContent(
      "The previous copy stays in ~/.local/share/sibyl until you delete it. Restart Sibyl to search and make changes again.",
    );
    expect(sent("library.move")).toEqual([{ path: "/mnt/drive/sibyl" }]);
    await userEvent.click(folder.getByRole("button", { name: "Quit Sibyl now" }));
    expect(sent("shell.quit")).toHaveLength(1);
  });

  it("says why it cannot be moved", async () => {
    const { unmount } = open(moving("/mnt/full"));
    const folder = await row("Data folder");
    await userEvent.click(await folder.findByRole("button", { name: "Move…" }));
    expect(await folder.findByRole("alert")).toHaveTextContent(
      "/mnt/full is not empty; choose an empty folder",
    );
    unmount();
    const info = settingsHandlers()["app.info"];
    open({ "app.info": async (...given) => ({ ...((await info?.(...given)) as AppInfo), movable: false }) });
    await (await row("Data folder")).findByText(/set when Sibyl was started/);
    expect(screen.queryByRole("button", { name: "Move…" })).toBeNull();
  });
});

describe("what the program says of itself", () => {
  it("tells that it could not be loaded, in its place", async () => {
    open({
      "app.info": () => {
        throw { code: "storage", message: "disk I/O error" };
      },
    });
    expect(await (await row("Data folder")).findByRole("alert")).toHaveTextContent("Disk I/O error");
    expect(await (await row("Version")).findByRole("alert")).toHaveTextContent("Disk I/O error");
    expect(screen.queryByRole("button", { name: "Copy version" })).toBeNull();
  });
});

describe("language", () => {
  it("is English; source labels follow the workspace, numbers and dates the reader", async () => {
    open();
    expect(await screen.findByText("The interface is available in English.")).toBeInTheDocument();
    const labels = await row("Source labels");
    await userEvent.click(await labels.findByRole("radio", { name: "Swedish" }));
    expect(sent("workspace.language")).toEqual([{ name: "default", language: "sv" }]);
    await waitFor(() => expect(labels.getByRole("radio", { name: "Swedish" })).toBeChecked());
    const format = await row("Numbers and dates");
    expect(format.getByText(/^For example 38,114 · \$0\.14/)).toBeInTheDocument();
    setPreferences({ format: "de-DE" });
    await format.findByText(/^For example 38\.114 · 0,14\s\$/);
    setPreferences({ format: "no locale" });
    await format.findByText(/^For example 38,114/);
  });

  it("keeps the focus and the place where another format redraws the window", async () => {
    connect();
    // As the window does it.
    const Window = () => <SettingsPage key={usePreferences().format} />;
    show(<Window />);
    const field = (await row("Numbers and dates")).getByRole("combobox");
    await userEvent.click(field);
    await userEvent.click(await screen.findByRole("option", { name: "German (Germany)" }));
    await waitFor(() => expect(field).not.toBeInTheDocument());
    expect((await row("Numbers and dates")).getByRole("combobox")).toHaveFocus();
    expect(window.location.hash).toBe("#/settings/language/format");
  });
});

describe("appearance and keys", () => {
  it("turn theme, density and text size", async () => {
    open();
    await userEvent.click(await screen.findByRole("radio", { name: "Dark" }));
    await userEvent.click(screen.getByRole("radio", { name: "Compact" }));
    await write(screen.getByRole("textbox", { name: "Text size" }), "110");
    expect(preferences()).toMatchObject({ theme: "dark", density: "compact", textSize: 110 });
    expect(document.documentElement.dataset.density).toBe("compact");
  });

  it("give a letter another key and take it back", async () => {
    defineAll([
      { ...page, shortcuts: [{ id: "x.next", keys: "n", label: "Next imagined item", group: "Standards" }] },
    ]);
    open();
    const cap = await screen.findByRole("button", { name: /Next imagined item/ });
    act(() => cap.focus());
    await userEvent.keyboard("m");
    expect(keysOf("x.next")).toBe("m");
    await userEvent.click(screen.getByRole("button", { name: "Reset all" }));
    expect(keysOf("x.next")).toBe("n");
  });
});

describe("addresses", () => {
  it("lead to a section and to one of its rows", async () => {
    window.location.hash = href("settings", ["data", "max_file_size"]);
    open();
    const field = (await row("Largest file")).getByRole("textbox");
    await waitFor(() => expect(field).toHaveFocus());
    expect(screen.getByRole("link", { name: "Data folder" })).toHaveAttribute("aria-current", "true");
  });

  it("stay marked after a jump and follow whatever scrolls from there", async () => {
    window.location.hash = href("settings", ["about"]);
    open();
    const about = screen.getByRole("link", { name: "About" });
    await waitFor(() => expect(about).toHaveAttribute("aria-current", "true"));
    const region = screen
      .getAllByRole("region", { name: "Settings" })
      .find((each) => each.tabIndex === 0) as HTMLElement;
    fireEvent.scroll(region);
    expect(about).toHaveAttribute("aria-current", "true");
    const tops = {
      models: -900,
      retrieval: -300,
      data: 40,
      appearance: 500,
      keyboard: 700,
      language: 800,
      about: 900,
    };
    for (const [section, top] of Object.entries(tops)) {
      const element = region.querySelector(`[data-section=${section}]`) as HTMLElement;
      element.getBoundingClientRect = () => DOMRect.fromRect({ x: 0, y: top, width: 1, height: 1 });
    }
    Object.defineProperty(region, "scrollHeight", { value: 5000 });
    Object.defineProperty(region, "clientHeight", { value: 800 });
    fireEvent.scroll(region, { target: { scrollTop: 940 } });
    expect(screen.getByRole("link", { name: "Data folder" })).toHaveAttribute("aria-current", "true");
    fireEvent.scroll(region, { target: { scrollTop: 4200 } });
    expect(about).toHaveAttribute("aria-current", "true");
  });

  it("are found in the palette, by words of setting and section", async () => {
    open();
    const found = async (query: string): Promise<PaletteItem[]> =>
      (
        await Promise.all((page.sources ?? []).map((each) => each.find(query, new AbortController().signal)))
      ).flat();
    const [item] = await found("largest");
    expect(item?.label).toBe("Largest file");
    act(() => item?.run());
    expect(parseRoute(window.location.hash)).toMatchObject({
      page: "settings",
      path: ["data", "max_file_size"],
    });
    expect((await found("models key")).map((each) => each.label)).toContain("OpenRouter key");
    expect(await found("no such thing")).toEqual([]);
  });
});
