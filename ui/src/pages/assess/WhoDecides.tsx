import { useState } from "react";
import { FormDialog } from "@/kit/FormDialog";
import { TextField } from "@/kit/fields";
import { t } from "@/text";
import { becomeReviewer, staysUnnamed, useUnnamed } from "./reviewer";

type WhoProps = { onClose: () => void };

/** Asks who decides at this window. */
export function WhoDecides({ onClose }: WhoProps) {
  const [name, setName] = useState("");
  return (
    <FormDialog
      title={t("assess.who.title")}
      width={420}
      confirm={t("assess.who.confirm")}
      ready={name.trim() !== ""}
      onConfirm={() => {
        becomeReviewer(name.trim());
        onClose();
      }}
      onClose={onClose}
    >
      <p className="sm sec">{t("assess.who.about")}</p>
      <TextField
        label={t("assess.who.name")}
        placeholder={t("assess.who.name")}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
    </FormDialog>
  );
}

/** Asks who decides once something is to be signed that nobody has a name for. */
export function WhoDecidesFirst() {
  return useUnnamed() && <WhoDecides onClose={staysUnnamed} />;
}
