// What ships with the program, as it is offered.

import { IconBuildingFactory2, IconListTree } from "@tabler/icons-react";
import { shippedGroups } from "@/state/source-types";
import { t, text } from "@/text";

/** Each group that is imported together, with the words that offer it. */
export const shippedOffers = () =>
  shippedGroups().map(({ group, kinds }) => {
    const title = text(`library.empty.shipped.${group}.title`) ?? kinds.map(({ label }) => label).join(", ");
    return {
      group,
      title,
      detail: text(`library.empty.shipped.${group}.detail`) ?? kinds.map(({ about }) => about).join(", "),
      add: text(`library.add.shipped.${group}`) ?? t("library.add.shipped_other", { title }),
      Icon: kinds.some(({ standard }) => standard?.outline === "topics")
        ? IconBuildingFactory2
        : IconListTree,
    };
  });
