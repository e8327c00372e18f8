import { t } from "@/text";
import { toast } from "./toasts";

/** Puts a text on the clipboard and says so in the words of `title`; where that fails, shows the text to copy by hand. */
export async function copyText(text: string, title: string, detail?: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ kind: "ok", title, detail });
  } catch {
    toast({ kind: "warn", title: t("copy.failed"), detail: text });
  }
}
