// The editions of IFRS S2.

import type { Edition } from "@/api/types";

/** Every edition, the earliest first. */
export const EDITIONS: readonly Edition[] = ["2023-06", "2025-12"];
