import {
  IconChevronDown,
  IconClipboardText,
  IconFileText,
  IconFileTypePdf,
  IconFolderOpen,
} from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { EngineError } from "@/api/client";
import { useCommand } from "@/api/queries";
import { usePages } from "@/api/row-pages";
import { pickFiles } from "@/api/shell";
import type { DocumentRow } from "@/api/types";
import { Button } from "@/kit/Button";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { SearchField, TextField } from "@/kit/fields";
import { Popover } from "@/kit/Popover";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { EmptyState, Loaded } from "@/kit/states";
import { VirtualList } from "@/kit/VirtualList";
import { DocumentName } from "@/parts/DocumentName";
import { reportError } from "@/state/trouble";
import { t } from "@/text";
import css from "./picker.module.css";
import shared from "./shared.module.css";
import type { LabControl } from "./use-lab";

const ROW = 62;

/** What no longer holds for another document. */
export const ELSEWHERE = {
  document: undefined,
  path: undefined,
  text: false,
  chunk: undefined,
  at: undefined,
  mark: undefined,
  version: undefined,
  page: undefined,
} as const;

/** How a document is called. */
export const documentName = (row: DocumentRow): string => row.title || row.path;

const idOf = ({ id }: DocumentRow) => id;

function List({ selected, onChoose }: { selected: number | undefined; onChoose: (id: number) => void }) {
  const corpora = useCommand("library.overview", {});
  const [query, setQuery] = useState("");
  const documents = usePages("document.list", { words: query.trim() }, { keyOf: idOf });
  const found = documents.rows;
  const names = useMemo(
    () => new Map((corpora.data?.corpora ?? []).map(({ corpus }) => [corpus.id, corpus.name])),
    [corpora.data],
  );
  return (
    <Loaded query={documents.query}>
      {() => (
        <>
          <SearchField
            label={t("chunk-lab.picker.find")}
            placeholder={t("chunk-lab.picker.find")}
            value={query}
            onChange={setQuery}
            data-autofocus
          />
          <div className={css.documents}>
            {found.length === 0 ? (
              <EmptyState title={t("chunk-lab.picker.none")} />
            ) : (
              <VirtualList
                label={t("chunk-lab.picker.documents")}
                count={found.length}
                rowHeight={ROW}
                rowKey={(index) => found[index]?.id ?? index}
                selected={found.findIndex((row) => row.id === selected)}
                onVisible={(_, last) => {
                  if (last >= found.length - 1) documents.more();
                }}
                onOpen={(index) => onChoose(found[index]?.id ?? 0)}
                row={(index) => {
                  const row = found[index];
                  return (
                    row && (
                      // biome-ignore lint/a11y/noStaticElementInteractions: Enter on the row does the same.
                      <div className={css.document} onClick={() => onChoose(row.id)}>
                        <DocumentName
                          title={documentName(row)}
                          document={row}
                          also={[
                            names.get(row.corpus_id),
                            t("chunk-lab.picker.chunks", { count: row.chunks }),
                          ]}
                        />
                      </div>
                    )
                  );
                }}
              />
            )}
          </div>
        </>
      )}
    </Loaded>
  );
}

type PasteProps = { onText: (name: string, text: string) => void; onClose: () => void };

/** A text by hand, with the name that decides its format. */
export function Paste({ onText, onClose }: PasteProps) {
  const [name, setName] = useState(t("chunk-lab.picker.text_name"));
  const [text, setText] = useState("");
  const title = t("chunk-lab.picker.paste");
  return (
    <Dialog open onClose={onClose} label={title} width={560}>
      <div className={shared.dialog}>
        <h2 className={shared.dialogTitle}>{title}</h2>
        <div className={shared.field}>
          <span className="sec sm">{t("chunk-lab.picker.name")}</span>
          <TextField
            label={t("chunk-lab.picker.name")}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </div>
        <textarea
          className={css.paste}
          aria-label={t("chunk-lab.picker.text")}
          placeholder={t("chunk-lab.picker.text")}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
      </div>
      <DialogFoot>
        <span className="xs mut number">{t("chunk-lab.picker.characters", { count: text.length })}</span>
        <span className="grow" />
        <Button onClick={onClose}>{t("dialog.cancel")}</Button>
        <Button
          tone="primary"
          disabled={text.trim() === "" || name.trim() === ""}
          onClick={() => {
            onText(name.trim(), text);
            onClose();
          }}
        >
          {t("chunk-lab.picker.cut")}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}

type PickerProps = {
  /** Name of what is cut now. */
  name: string;
  format?: string;
  selected: number | undefined;
  change: LabControl["change"];
  onPaste: () => void;
};

/** What is cut: a stored document, a file or a text. */
export function Picker({ name, format, selected, change, onPaste }: PickerProps) {
  const onDocument = (id: number) => change({ ...ELSEWHERE, document: id, a: undefined, b: undefined });
  const onPath = (path: string) => change({ ...ELSEWHERE, path });
  const Icon = format === "pdf" ? IconFileTypePdf : IconFileText;
  return (
    <Popover
      label={t("chunk-lab.picker.open")}
      width={400}
      button={(open, toggle) => (
        <button
          type="button"
          className={css.picker}
          aria-expanded={open}
          aria-label={t("chunk-lab.picker.button", { name })}
          data-tip={name}
          onClick={toggle}
        >
          <Icon className="small" aria-hidden />
          <span className="ell">{name}</span>
          <IconChevronDown className="xs" aria-hidden />
        </button>
      )}
    >
      {(close) => (
        <ScrollRegion ways="down" className={shared.sheet}>
          <List
            selected={selected}
            onChoose={(id) => {
              onDocument(id);
              close();
            }}
          />
          <div className={css.pickerFoot}>
            <Button
              size="small"
              icon={<IconFolderOpen className="small" aria-hidden />}
              onClick={() => {
                close();
                void pickFiles().then(
                  ([path]) => path && onPath(path),
                  (thrown) => reportError(EngineError.from(thrown)),
                );
              }}
            >
              {t("chunk-lab.picker.file")}
            </Button>
            <Button
              size="small"
              icon={<IconClipboardText className="small" aria-hidden />}
              onClick={() => {
                close();
                onPaste();
              }}
            >
              {t("chunk-lab.picker.paste")}
            </Button>
            <span className="grow" />
            <span className="xs mut">{t("chunk-lab.picker.drop")}</span>
          </div>
        </ScrollRegion>
      )}
    </Popover>
  );
}
