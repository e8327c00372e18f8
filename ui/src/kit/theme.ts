// Mantine on the tokens: its theme and variables name ours, so that one attribute switches both.

import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

const ink: MantineColorsTuple = [
  "#EDEEFB",
  "#DADCF6",
  "#BFC2EE",
  "#9BA0E2",
  "#7A80DA",
  "#5A61D8",
  "#4046B8",
  "#343A9F",
  "#2A2F83",
  "#1F2142",
];

/** The theme. */
export const theme = createTheme({
  colors: { ink },
  primaryColor: "ink",
  primaryShade: { light: 6, dark: 5 },
  fontFamily: "var(--font-ui)",
  fontFamilyMonospace: "var(--font-mono)",
  fontSizes: {
    xs: "var(--fs-xs)",
    sm: "var(--fs-sm)",
    md: "var(--fs-md)",
    lg: "var(--fs-read)",
    xl: "var(--fs-h1)",
  },
  lineHeights: { xs: "1.36", sm: "1.4", md: "1.42", lg: "1.6", xl: "1.3" },
  spacing: { xs: "4px", sm: "8px", md: "12px", lg: "16px", xl: "24px" },
  radius: { xs: "3px", sm: "5px", md: "8px", lg: "12px", xl: "16px" },
  defaultRadius: "sm",
  focusRing: "auto",
  respectReducedMotion: true,
  cursorType: "default",
});

/** Mantine's variables in terms of the tokens. */
export const resolver: CSSVariablesResolver = () => ({
  variables: {
    "--mantine-color-body": "var(--bg)",
    "--mantine-color-text": "var(--fg)",
    "--mantine-color-dimmed": "var(--fg-3)",
    "--mantine-color-placeholder": "var(--fg-3)",
    "--mantine-color-default": "var(--raised)",
    "--mantine-color-default-hover": "var(--hover)",
    "--mantine-color-default-border": "var(--line-2)",
    "--mantine-color-error": "var(--bad)",
    "--mantine-color-anchor": "var(--accent-text)",
  },
  light: {},
  dark: {},
});

/** The nonce that the window's security policy gives to style elements of this page. */
export const styleNonce = (): string =>
  document.querySelector<HTMLStyleElement>("style#nonce-carrier")?.nonce ?? "";
