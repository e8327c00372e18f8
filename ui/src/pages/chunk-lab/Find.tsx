import { IconChevronDown, IconChevronUp, IconX } from "@tabler/icons-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { IconButton } from "@/kit/Button";
import { SearchField } from "@/kit/fields";
import { t } from "@/text";
import { firstWhere, type Range } from "./cut";
import css from "./find.module.css";

/** Most places that are counted; more are only said to be more. */
const MOST = 10_000;

/** Places where `query` stands in `text`, whatever its case. */
export function placesOf(text: string, query: string): number[] {
  if (query.trim() === "") return [];
  const pattern = new RegExp(query.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"), "giu");
  const places: number[] = [];
  for (const match of text.matchAll(pattern)) {
    places.push(match.index);
    if (places.length === MOST) break;
  }
  return places;
}

type FindProps = {
  text: string;
  /** The first place to show lies here or behind. */
  from: number;
  onFound: (range: Range | undefined) => void;
  onClose: () => void;
};

/** Finds words in the document. */
export function Find({ text, from, onFound, onClose }: FindProps) {
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const places = useMemo(() => placesOf(text, query), [text, query]);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const show = (list: readonly number[], index: number, length: number) => {
    const place = list[index];
    setAt(index);
    onFound(place === undefined ? undefined : [place, place + length]);
  };
  const step = (by: number) => {
    if (places.length > 0) show(places, (at + by + places.length) % places.length, query.length);
  };
  return (
    <div className={css.find}>
      <SearchField
        ref={field}
        size="small"
        label={t("chunk-lab.source.find")}
        placeholder={t("chunk-lab.source.find")}
        value={query}
        onChange={(next) => {
          setQuery(next);
          const found = placesOf(text, next);
          const first = firstWhere(found, (place) => place >= from);
          show(found, first < found.length ? first : 0, next.length);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
          if (event.key === "Escape") {
            event.stopPropagation();
            onClose();
          }
        }}
        end={
          query !== "" && (
            <span className="xs number nowrap" role="status">
              {places.length === 0
                ? t("chunk-lab.source.not_found")
                : t("chunk-lab.source.place", { at: at + 1, all: places.length })}
            </span>
          )
        }
      />
      <IconButton size="small" label={t("chunk-lab.source.find_previous")} onClick={() => step(-1)}>
        <IconChevronUp className="small" aria-hidden />
      </IconButton>
      <IconButton size="small" label={t("chunk-lab.source.find_next")} onClick={() => step(1)}>
        <IconChevronDown className="small" aria-hidden />
      </IconButton>
      <IconButton size="small" label={t("chunk-lab.source.find_close")} onClick={onClose}>
        <IconX className="small" aria-hidden />
      </IconButton>
    </div>
  );
}
