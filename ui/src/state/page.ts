// What a screen tells the shell before it is loaded.

import type { ComponentType } from "react";
import type { ShortcutDefinition } from "@/kit/shortcuts";
import type { TextKey } from "@/text";
import type { PaletteSource } from "./palette-sources";

/** A screen. */
export type Page = {
  /** First part of its address. */
  id: string;
  title: TextKey;
  icon: ComponentType<{ className?: string }>;
  /** Whether it stands at the lower end of the rail. */
  low?: boolean;
  /** Whether a line parts it from the screens above: reviewing stands above, tuning below. */
  parted?: boolean;
  /** Parameters of its address that only show something. A link from outside that sets another one is asked about. */
  reads?: readonly string[];
  shortcuts?: readonly ShortcutDefinition[];
  /** What it adds to the palette. Small: it is loaded with the window. */
  sources?: readonly PaletteSource[];
  /** What it draws over every screen, beside its own. */
  over?: () => Promise<{ default: ComponentType }>;
  load: () => Promise<{ default: ComponentType }>;
};
