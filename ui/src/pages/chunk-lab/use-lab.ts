// The state of the screen, kept in the address.

import { useCallback } from "react";
import { useAddressState } from "@/state/address-state";
import { fromAddress, type Lab, toAddress } from "./state";

/** The state with what changes it. */
export type LabControl = { lab: Lab; change: (part: Partial<Lab>) => void };

/** The state of the screen. */
export function useLab(): LabControl {
  const [lab, setLab] = useAddressState("chunk-lab", fromAddress, toAddress);
  const change = useCallback((part: Partial<Lab>) => setLab((now) => ({ ...now, ...part })), [setLab]);
  return { lab, change };
}
