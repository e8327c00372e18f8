// What a way of cutting is called.

import { text } from "@/text";

/** The reader's name for a strategy; its own where the words know none. */
export const strategyName = (name: string): string => text(`chunk-lab.strategies.${name}`) ?? name;
