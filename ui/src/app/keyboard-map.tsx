// All shortcuts in one view.

import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import { Button, IconButton } from "@/kit/Button";
import { Dialog } from "@/kit/Dialog";
import { SearchField } from "@/kit/fields";
import { KeyTable } from "@/parts/KeyTable";
import { setPreferences, usePreferences } from "@/state/preferences";
import { t } from "@/text";
import css from "./keyboard-map.module.css";

function Body({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState("");
  const [custom, setCustom] = useState(false);
  const remapped = Object.keys(usePreferences().shortcuts).length > 0;
  return (
    <>
      <div className={`row ${css.head}`}>
        <span className={css.title}>{t("keys.title")}</span>
        <span className="mut sm ell">{t("keys.note")}</span>
        <span className="row gap-6 push">
          <SearchField
            label={t("keys.find")}
            placeholder={t("keys.find")}
            value={query}
            onChange={setQuery}
            size="small"
            soft
            style={{ width: 190 }}
            data-autofocus
          />
          {custom && remapped && (
            <Button size="small" tone="quiet" onClick={() => setPreferences({ shortcuts: {} })}>
              {t("keys.reset_all")}
            </Button>
          )}
          <Button size="small" onClick={() => setCustom(!custom)}>
            {custom ? t("keys.done") : t("keys.customise")}
          </Button>
          <IconButton label={t("keys.close")} onClick={onClose}>
            <IconX className="small" aria-hidden />
          </IconButton>
        </span>
      </div>
      <KeyTable query={query} custom={custom} />
    </>
  );
}

/** The keyboard map. */
export function KeyboardMap({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} label={t("keys.title")} width={1080} top={64}>
      {open && <Body onClose={onClose} />}
    </Dialog>
  );
}
