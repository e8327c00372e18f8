import { IconMapQuestion } from "@tabler/icons-react";
import { Button } from "@/kit/Button";
import { Id } from "@/kit/Id";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { t } from "@/text";
import { Open } from "./Links";
import { nearest, type Outline } from "./outline";
import type { PlaceControl } from "./place";
import css from "./unknown.module.css";

type UnknownProps = Pick<PlaceControl, "open"> & { id: string; outline: Outline };

/** An id that the standards of this library do not have, with those it may have meant. */
export function Unknown({ id, outline, open }: UnknownProps) {
  const near = nearest(outline, id);
  const first = outline.order.find((node) => node.target !== undefined)?.target;
  return (
    <ScrollRegion className={css.unknown} role="alert">
      <IconMapQuestion aria-hidden />
      <b>
        {t("standards.unknown.title")} <bdi dir="ltr">{id}</bdi>
      </b>
      <span className="sec sm">
        {t(near.length > 0 ? "standards.unknown.near" : "standards.unknown.form")}
      </span>
      <ul>
        {near.map((node) => (
          <li key={node.id}>
            <Open id={node.target ?? ""} open={open} className={`row gap-6 ${css.near}`}>
              <Id link>{node.target ?? ""}</Id>
              <span>{node.label}</span>
            </Open>
          </li>
        ))}
      </ul>
      {near.length === 0 && first && (
        <Button size="small" onClick={() => open(first)}>
          {t("standards.unknown.first")}
        </Button>
      )}
    </ScrollRegion>
  );
}
