import { createContext } from "react";

/** Whether controls stand on a sheet that a press outside it closes: what they open belongs inside it. */
export const OnSheet = createContext(false);
