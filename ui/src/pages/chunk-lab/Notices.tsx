import { IconAlertTriangle, IconInfoCircle } from "@tabler/icons-react";
import type { NoticeView } from "@/api/types";
import { Popover } from "@/kit/Popover";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { citedPage } from "@/parts/cited";
import { t } from "@/text";
import { sentence } from "@/text/format";
import { visible } from "@/text/visible";
import css from "./notices.module.css";

/** Where a notice belongs: its page, or its line. */
function placeOf({ page, page_label, line }: NoticeView): string | undefined {
  if (page !== null) return t("chunk-lab.notices.on_page", { page: citedPage(page, page_label) });
  return line === null ? undefined : t("chunk-lab.notices.on_line", { line });
}

/** What a notice says, with its place. */
export function Said({ notice }: { notice: NoticeView }) {
  const place = placeOf(notice);
  return (
    <>
      {place !== undefined && <b className="nowrap">{place}: </b>}
      <bdi>{visible(sentence(notice.message))}</bdi>
    </>
  );
}

/** Everything that was guessed, mended or left out while reading, behind a button with its number. */
export function Notices({ notices }: { notices: readonly NoticeView[] }) {
  const grave = notices.some(({ severity }) => severity !== "info");
  const Icon = grave ? IconAlertTriangle : IconInfoCircle;
  return (
    <Popover
      label={t("chunk-lab.notices.title")}
      width={420}
      position="bottom-end"
      button={(open, toggle) => (
        <button
          type="button"
          className={`row gap-4 nowrap sm ${css.noticesButton}`}
          aria-expanded={open}
          aria-haspopup="dialog"
          onClick={toggle}
        >
          <Icon className="small" aria-hidden />
          {t("chunk-lab.notices.count", { count: notices.length })}
        </button>
      )}
    >
      {() => (
        <ScrollRegion as="ul" className={css.notices} aria-label={t("chunk-lab.notices.title")}>
          {notices.map((notice, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: notices keep their place.
            <li key={index} className="sm">
              <Said notice={notice} />
            </li>
          ))}
        </ScrollRegion>
      )}
    </Popover>
  );
}
