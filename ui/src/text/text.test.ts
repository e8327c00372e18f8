import { afterEach, describe, expect, it, vi } from "vitest";
import en from "./en.json";
import { codes, explain } from "./errors";
import { bytes, decimal, milliseconds, moment, percent, seconds, sentence, short, upTo } from "./format";
import { t, text } from "./index";
import { SYSTEM, systemLocale, tagOf, writeLike } from "./locale";

describe("words", () => {
  it("fills in names and numbers", () => {
    expect(t("status.size", { chunks: 38114, size: "231 MB" })).toBe("38,114 chunks · 231 MB");
    expect(t("palette.nothing", { query: "{size}" })).toBe("Nothing matches “{size}”");
  });

  it("gives nothing for a key that is not there", () => {
    expect(text("no.such.key")).toBeUndefined();
    expect(text("toString")).toBeUndefined();
  });

  it("has words for every error code", () => {
    for (const code of codes) expect(Object.keys(en.errors), code).toContain(code);
  });

  it("explains an unknown code with the engine's message", () => {
    const explained = explain({ code: "brand_new", message: "expected A, got B" });
    expect(explained.title).toBe(en.errors.other);
    expect(explained.message).toBe("Expected A, got B.");
  });
});

describe("a sentence of the engine", () => {
  it.each([
    ["the runs answer different gold sets", "The runs answer different gold sets."],
    ["cancelled", "Cancelled."],
    ["don’t ask twice; wait ", "Don’t ask twice; wait."],
    ["Is it there?", "Is it there?"],
    ["report.pdf is not a PDF file", "report.pdf is not a PDF file."],
    ["q017 has no labels", "q017 has no labels."],
    ["gpt-4.1 does not answer", "gpt-4.1 does not answer."],
    ["/home/a.pdf: no such file", "/home/a.pdf: no such file."],
    ["`top_k` must be a number", "`top_k` must be a number."],
    ["überall fehlt etwas", "Überall fehlt etwas."],
    ["", ""],
  ])("%j stands alone as %j", (message, alone) => expect(sentence(message)).toBe(alone));
});

describe("the system's locale", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    writeLike("en-US");
  });

  it.each([
    ["sv-SE", "sv-SE"],
    ["sv_SE.UTF-8", "sv-SE"],
    ["ca_ES.UTF-8@valencia", "ca-ES"],
    ["zh-Hant-TW", "zh-Hant-TW"],
    ["en-US-u-va-posix", "en-US"],
    ["ar", "ar"],
    ["C", undefined],
    ["C.UTF-8", undefined],
    ["POSIX", undefined],
    ["", undefined],
    ["not a locale", undefined],
  ])("%s is %s", (name, tag) => expect(tagOf(name)).toBe(tag));

  // What WebKitGTK says under LANG=C.UTF-8.
  it("is English where the system names none, and groups its numbers", () => {
    vi.stubGlobal("navigator", { language: "C" });
    writeLike(SYSTEM);
    expect(systemLocale()).toBe("en");
    expect(short(9_999)).toBe("9,999");
    expect(new Intl.DisplayNames("en", { type: "language" }).of(systemLocale())).toBe("English");
  });
});

describe("formats", () => {
  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [92_000, "92 kB"],
    [1_500_000, "1.5 MB"],
    [231_000_000, "231 MB"],
  ])("%d bytes", (value, shown) => expect(bytes(value)).toBe(shown));

  it.each([
    [0.6, "0.6 ms"],
    [148.4, "148 ms"],
    [999.6, "1.0 s"],
    [2400, "2.4 s"],
  ])("%d milliseconds", (value, shown) => expect(milliseconds(value)).toBe(shown));

  it("writes every number the chosen way", () => {
    writeLike("sv-SE");
    expect([milliseconds(2400), milliseconds(0.6), bytes(1_500_000)]).toEqual(["2,4 s", "0,6 ms", "1,5 MB"]);
    writeLike("en-US");
  });

  it("writes decimals the chosen way, rounded as the program rounds", () => {
    const written = () => [decimal(0.03058, 5), decimal(2, 2), upTo(0.5, 2), upTo(1, 2), decimal(1.005, 2)];
    expect(written()).toEqual(["0.03058", "2.00", "0.5", "1", "1.00"]);
    writeLike("sv-SE");
    expect(written()).toEqual(["0,03058", "2,00", "0,5", "1", "1,00"]);
    writeLike("en-US");
  });

  it.each([
    [38, "38 s"],
    [252, "4 min 12 s"],
    [7500, "2 h 5 min"],
  ])("%d seconds", (value, shown) => expect(seconds(value)).toBe(shown));

  it("never rounds a part up to the whole", () => {
    expect(percent(0.9999)).toBe("99%");
    expect(percent(1)).toBe("100%");
    expect(percent(0.678, 1)).toBe("67.8%");
    expect(percent(0)).toBe("0%");
  });

  it("shortens large numbers only", () => {
    expect(short(9_999)).toBe("9,999");
    expect(short(11_300_000)).toBe("11.3M");
  });

  it("writes a moment as near as it is", () => {
    const now = new Date(2025, 10, 20, 12, 0);
    expect(moment(new Date(2025, 10, 20, 8, 2), now)).toBe("08:02");
    expect(moment(new Date(2025, 10, 12, 9, 14), now)).toBe("Nov 12, 09:14");
    expect(moment(new Date(2025, 10, 20, 0, 5), now)).toBe("00:05");
    expect(moment("nonsense", now)).toBe("—");
  });
});
