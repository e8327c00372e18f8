import type { ReactNode } from "react";
import shared from "./shared.module.css";

type PartHeadProps = {
  title: string;
  /** Below a tab, which names it already. */
  tabbed: boolean;
  /** Stands beside the title. */
  children?: ReactNode;
  end?: ReactNode;
};

/** The head of a part of the lab that may stand below a tab. */
export function PartHead({ title, tabbed, children, end }: PartHeadProps) {
  return (
    <div className={shared.partHead}>
      {!tabbed && <h2>{title}</h2>}
      {children}
      {end && <span className="end">{end}</span>}
    </div>
  );
}
