// The search that this library makes where nobody says how.

import { may } from "@/api/client";
import { sameRanking } from "@/api/defaults";
import { useAction, useCommand } from "@/api/queries";
import type { SearchRequest } from "@/api/types";
import { Button } from "@/kit/Button";
import { toast } from "@/state/toasts";
import { t } from "@/text";

/** Makes the ranking of `search` the usual one, unless it is already, where that is allowed. It can be undone. */
export function MakeUsual({ search }: { search: SearchRequest }) {
  const usual = useCommand("search.usual", {}).data;
  const make = useAction("search.make_usual");
  if (!may("search.make_usual")) return null;
  return (
    <Button
      size="small"
      disabled={!usual || sameRanking(search, usual) || make.isPending}
      onClick={() =>
        make.mutate(
          { search },
          {
            onSuccess: () =>
              toast({
                kind: "ok",
                title: t("search.usual.made"),
                detail: t("search.usual.used"),
                ...(usual && {
                  action: { label: t("search.usual.undo"), onClick: () => make.mutate({ search: usual }) },
                }),
              }),
          },
        )
      }
    >
      {t("search.usual.make")}
    </Button>
  );
}
