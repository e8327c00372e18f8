import { Tag } from "@/kit/Pill";
import { tip } from "@/kit/Tooltip";
import { t } from "@/text";
import { whole } from "@/text/format";

/** Says that a text was read by OCR, and how sure that was; nothing where it was not. */
export function OcrTag({ confidence }: { confidence: number | null | undefined }) {
  if (confidence === undefined || confidence === null) return null;
  return (
    <span {...tip(t("hit.ocr.note"))}>
      <Tag>{t("hit.ocr.tag", { confidence: whole(confidence) })}</Tag>
    </span>
  );
}
