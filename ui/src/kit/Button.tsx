import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { classes } from "./class-names";
import { Tooltip } from "./Tooltip";

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type"> & {
  /** `primary` at most once in a view; `quiet` has no edge; `danger` destroys something. */
  tone?: "default" | "primary" | "quiet" | "danger";
  /** Height: 28, 24 or 22 pixels. */
  size?: "default" | "small" | "tiny";
  icon?: ReactNode;
  type?: "button" | "submit";
  ref?: Ref<HTMLButtonElement>;
};

const TONES = { default: "", primary: "primary", quiet: "quiet", danger: "danger" };
const SIZES = { default: "", small: "small", tiny: "tiny" };

/** A button with words. */
export function Button({
  tone = "default",
  size = "default",
  icon,
  children,
  className,
  type,
  ...rest
}: ButtonProps) {
  return (
    <button type={type ?? "button"} className={classes("btn", TONES[tone], SIZES[size], className)} {...rest}>
      {icon}
      {children}
    </button>
  );
}

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "aria-label" | "title"> & {
  /** Its name, shown as a tooltip. */
  label: string;
  /** Keys that do the same, shown with the name. */
  keys?: string;
  /** 26 or 22 pixels. */
  size?: "default" | "small";
  /** For a button that stays down. */
  pressed?: boolean;
  ref?: Ref<HTMLButtonElement>;
};

/** A button that is only an icon; its name is a tooltip. */
export function IconButton({
  label,
  keys,
  size = "default",
  pressed,
  className,
  children,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip label={label} keys={keys}>
      <button
        type="button"
        aria-label={label}
        aria-pressed={pressed}
        className={classes("icon-button", size === "small" && "small", pressed && "on", className)}
        {...rest}
      >
        {children}
      </button>
    </Tooltip>
  );
}
