/** Colour of a bar: grey for done, accent for running, legs and status for what they mean. */
export type Tone = "base" | "accent" | "sem" | "kw" | "fus" | "rr" | "ok" | "warn" | "bad";

/** One part of a bar, as a share of 1. */
export type Section = { share: number; tone: Tone; label?: string };

const COLOUR: Record<Tone, string> = {
  base: "var(--fg-3)",
  accent: "var(--accent)",
  sem: "var(--sem)",
  kw: "var(--kw)",
  fus: "var(--fus)",
  rr: "var(--rr)",
  ok: "var(--ok)",
  warn: "var(--warn)",
  bad: "var(--bad)",
};

type MeterProps = {
  /** What is measured. */
  label: string;
  /** Share of 1, or parts that follow each other. */
  value: number | readonly Section[];
  tone?: Tone;
  /** Words for the value; the percentage by default. */
  text?: string;
  /** Work under way, rather than a state. */
  progress?: boolean;
  width?: number | string;
  height?: number;
};

/** A bar from nothing to everything. */
export function Meter({ label, value, tone = "base", text, progress, width, height }: MeterProps) {
  const sections = typeof value === "number" ? [{ share: value, tone }] : value;
  const total = Math.round(
    Math.min(
      1,
      sections.reduce((sum, each) => sum + each.share, 0),
    ) * 100,
  );
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take a name and values.
    <div
      role={progress ? "progressbar" : "meter"}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={total}
      aria-valuetext={text}
      className="bar"
      style={{ width, height }}
    >
      {sections.map((section, index) => (
        <i
          // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their place.
          key={index}
          data-tip={"label" in section ? section.label : undefined}
          style={{
            width: `${Math.max(0, Math.min(1, section.share)) * 100}%`,
            background: COLOUR[section.tone],
          }}
        />
      ))}
    </div>
  );
}
