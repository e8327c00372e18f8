import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { settingsHandlers } from "@/api/fake/settings";
import { recorded } from "@/api/recording";
import type { SettingView } from "@/api/types";
import type { PaletteItem } from "@/state/palette-sources";
import { href, parseRoute } from "@/state/router";
import { sent } from "@/test/page";
import { page } from "./page";
import { open, row, write } from "./testing";

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
    open({ "answer.models": () => recorded("answer.models", {}) });
    const model = await row("Chat model");
    expect(model.getByRole("textbox", { name: "Chat model" })).toHaveValue("openai/gpt-4.1-mini");
    expect(sent("answer.models")).toEqual([]);
    await userEvent.click(model.getByRole("button", { name: "Choose from the provider’s list" }));
    const sheet = await screen.findByRole("dialog", { name: "Chat model" });
    const priced = await within(sheet).findByRole("checkbox", { name: /loopback\/writer/ });
    expect(priced).toHaveTextContent("$0.4 in, $1.6 out");
    // One without prices is listed, too.
    await userEvent.click(within(sheet).getByRole("checkbox", { name: /loopback\/auto/ }));
    expect(sent("settings.set")).toEqual([{ values: { chat_model: "loopback/auto" } }]);
    await waitFor(() =>
      expect(model.getByRole("textbox", { name: "Chat model" })).toHaveValue("loopback/auto"),
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
