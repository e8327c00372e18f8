import { useLayoutEffect, useRef, useState } from "react";
import { TextField } from "@/kit/fields";
import { t } from "@/text";

type ChipFieldProps = {
  label: string;
  /** What stands in it at first. */
  value: string;
  /** Called with what was typed, where that is something else. */
  onWords: (words: string) => void;
  /** Called where nothing changes. */
  onClose: () => void;
};

/** The place of a chip while its words are typed: Enter takes them, Escape leaves everything as it was. */
export function ChipField({ label, value, onWords, onClose }: ChipFieldProps) {
  const [draft, setDraft] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  return (
    <TextField
      ref={field}
      size="small"
      dir="auto"
      label={label}
      placeholder={t("ask.understood.add_hint")}
      value={draft}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
        event.preventDefault();
        const words = draft.trim();
        if (event.key === "Escape" || words === "" || words === value) onClose();
        else onWords(words);
      }}
    />
  );
}
