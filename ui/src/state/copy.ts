import { t } from "@/text";
import { sentence } from "@/text/format";
import { toast } from "./toasts";

/** Why the clipboard took nothing; nothing where it gave no reason. Only its own errors are written for a reader. */
export const refusal = (thrown: unknown): string | undefined =>
  thrown instanceof DOMException && thrown.message !== "" ? sentence(thrown.message) : undefined;

/** Puts a text on the clipboard and says so in the words of `title`; where that fails, shows the text to copy by hand. */
export async function copyText(text: string, title: string, detail?: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ kind: "ok", title, detail });
  } catch (thrown) {
    const reason = refusal(thrown);
    const failed = reason ? t("copy.failed_because", { reason }) : t("copy.failed");
    toast({ kind: "warn", title: failed, detail: text });
  }
}
