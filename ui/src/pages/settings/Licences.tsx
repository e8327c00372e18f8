import { IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { EngineError } from "@/api/client";
import { useRowHeight } from "@/kit/density";
import { TextField } from "@/kit/fields";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { EmptyState, Loaded, SkeletonRows } from "@/kit/states";
import { VirtualList } from "@/kit/VirtualList";
import { t } from "@/text";
import css from "./licences.module.css";
import shared from "./shared.module.css";

/** A crate or package that ships, with the places of its texts. */
type Part = { name: string; version: string; licence: string; texts: number[] };

type Licences = { parts: Part[]; texts: string[] };

/** Fetched when they are looked at: they are as large as all the rest of the screen. */
const load = async (): Promise<Licences> => (await import("./licences.json")).default;

const keyOf = (part: Part) => `${part.name} ${part.version}`;

function Texts({ part, texts }: { part: Part; texts: readonly string[] }) {
  const name = keyOf(part);
  return (
    <ScrollRegion
      as="section"
      className={`card ${css.licence}`}
      label={t("settings.about.text_of", { name })}
    >
      <p className="sm">
        <b>{name}</b> <span className="sec">{part.licence}</span>
      </p>
      {part.texts.length === 0 && <p className="xs mut">{t("settings.about.no_text")}</p>}
      {part.texts.map((place) => (
        <pre key={place} dir="ltr">
          {texts[place]}
        </pre>
      ))}
    </ScrollRegion>
  );
}

function List({ parts, texts }: Licences) {
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState<Part>();
  const height = useRowHeight(28);
  const shown = useMemo(() => {
    const wanted = words.toLowerCase().split(/\s+/);
    return parts.filter((part) => {
      const told = `${keyOf(part)} ${part.licence}`.toLowerCase();
      return wanted.every((word) => told.includes(word));
    });
  }, [parts, words]);
  return (
    <>
      <div className={`row gap-6 ${shared.below}`}>
        <TextField
          label={t("settings.about.filter")}
          className="grow"
          icon={<IconSearch className="small" aria-hidden />}
          placeholder={t("settings.about.filter")}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        <span className="xs mut number nowrap" role="status">
          {t("settings.about.counted", { count: shown.length })}
        </span>
      </div>
      <div className={css.licences}>
        {shown.length === 0 ? (
          <EmptyState title={t("settings.about.none", { words })} />
        ) : (
          <VirtualList
            label={t("settings.about.list")}
            count={shown.length}
            rowHeight={height}
            rowKey={(index) => (shown[index] ? keyOf(shown[index]) : index)}
            selected={chosen ? shown.indexOf(chosen) : -1}
            onSelect={(index) => setChosen(shown[index])}
            row={(index) => {
              const part = shown[index];
              return (
                part && (
                  <div className={`row gap-6 ${css.part}`}>
                    <span className="ell">{part.name}</span>
                    <span className="xs mut number">{part.version}</span>
                    <span className="push sm sec ell">{part.licence}</span>
                  </div>
                )
              );
            }}
          />
        )}
      </div>
      {chosen && <Texts part={chosen} texts={texts} />}
    </>
  );
}

/** Everything by others that ships in the program, and under which licence. */
export function Licences() {
  const licences = useQuery<Licences, EngineError>({
    queryKey: ["licences"],
    queryFn: () => load().catch((thrown: unknown) => Promise.reject(EngineError.from(thrown))),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Loaded query={licences} skeleton={<SkeletonRows bare rows={6} height={28} />}>
      {(all) => <List {...all} />}
    </Loaded>
  );
}
