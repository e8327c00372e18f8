import { IconCheck, IconCopy, IconX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { t } from "@/text";
import { Button, IconButton } from "./Button";

type CopyButtonProps = {
  /** The text, or what makes it. */
  text: string | (() => string);
  /** Name of the button; with `words` it stands on it. */
  label?: string;
  words?: boolean;
  size?: "default" | "small";
};

const ICONS = { copied: IconCheck, refused: IconX };

/** Copies a text and says for a moment whether the clipboard took it. */
export function CopyButton({ text, label = t("kit.copy"), words, size = "small" }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<keyof typeof ICONS>();
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), 1500);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () =>
    navigator.clipboard.writeText(typeof text === "string" ? text : text()).then(
      () => setOutcome("copied"),
      () => setOutcome("refused"),
    );
  const Icon = outcome ? ICONS[outcome] : IconCopy;
  const icon = <Icon className="small" aria-hidden />;
  const name = outcome ? t(`kit.${outcome}`) : label;
  if (words)
    return (
      <Button size={size} tone="quiet" icon={icon} onClick={() => void copy()}>
        {name}
      </Button>
    );
  return (
    <IconButton label={name} size={size} onClick={() => void copy()}>
      {icon}
    </IconButton>
  );
}
