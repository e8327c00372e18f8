import { useNarrow } from "@/kit/narrow";
import { Pane, Panes } from "@/kit/Panes";
import { SkeletonRows, SkeletonText } from "@/kit/states";
import shared from "./shared.module.css";

/** The screen before the document is cut: its panes stand where they will stand. */
export function Expected() {
  const narrow = useNarrow();
  return (
    <div className={shared.work}>
      <Panes id={narrow ? "chunk-lab-narrow" : "chunk-lab"}>
        {!narrow && (
          <Pane id="configuration" size={236} min={200} max={360} fold="start" sunken>
            <div className="heading" />
            <SkeletonRows rows={7} height={50} bare quiet />
          </Pane>
        )}
        <Pane id="source" min={420}>
          <div className="heading" />
          <SkeletonText lines={[5, 4, 6]} />
        </Pane>
        <Pane id="chunks" size={narrow ? 210 : 288} min={180}>
          <div className="heading" />
          <SkeletonRows rows={14} height={40} quiet />
        </Pane>
        <Pane id="inspector" size={narrow ? 296 : 330} min={240} fold="end" sunken>
          <div className="heading" />
          <SkeletonText lines={[6, 7]} quiet />
        </Pane>
      </Panes>
    </div>
  );
}
