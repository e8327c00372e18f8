import { IconCheck, IconCopy } from "@tabler/icons-react";
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

/** Copies a text and says so for a moment. */
export function CopyButton({ text, label = t("kit.copy"), words, size = "small" }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await navigator.clipboard.writeText(typeof text === "string" ? text : text());
    setCopied(true);
  };
  const icon = copied ? <IconCheck className="s" aria-hidden /> : <IconCopy className="s" aria-hidden />;
  const name = copied ? t("kit.copied") : label;
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
