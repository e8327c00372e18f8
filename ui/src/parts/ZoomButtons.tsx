import { IconArrowAutofitWidth, IconZoomIn, IconZoomOut } from "@tabler/icons-react";
import { IconButton } from "@/kit/Button";
import { t } from "@/text";
import type { Zoom } from "./use-zoom";
import css from "./zoom-buttons.module.css";

/** Makes a page smaller, larger, and as wide as its pane. */
export function ZoomButtons({ zoom }: { zoom: Zoom }) {
  return (
    <span role="group" aria-label={t("chunk-lab.page.zoom")} className={`row gap-2 ${css.group}`}>
      <IconButton size="small" label={t("chunk-lab.page.zoom_out")} keys="-" onClick={zoom.out}>
        <IconZoomOut className="small" aria-hidden />
      </IconButton>
      <IconButton size="small" label={t("chunk-lab.page.zoom_in")} keys="+" onClick={zoom.in}>
        <IconZoomIn className="small" aria-hidden />
      </IconButton>
      <IconButton size="small" label={t("chunk-lab.page.fit")} pressed={zoom.wide} onClick={zoom.fit}>
        <IconArrowAutofitWidth className="small" aria-hidden />
      </IconButton>
    </span>
  );
}
