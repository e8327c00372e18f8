import { IconListSearch } from "@tabler/icons-react";
import { Button } from "@/kit/Button";
import { Popover } from "@/kit/Popover";
import { ChatModelSheet } from "@/parts/ChatModelSheet";
import { t } from "@/text";
import { Declared, Saved, useSaving } from "./Declared";
import type { Declarations } from "./Models";
import { Below, Row, Wrong } from "./Row";
import type { RowId } from "./sections";

const WIDTH = 520;

/** What writes answers, and the chat model that may. */
export function Answers({ settings }: { settings: Declarations }) {
  const plain = (name: RowId) => {
    const view = settings.get(name);
    return (
      view && (
        <Row id={name} title={t(`settings.row.${name}`)}>
          <Declared view={view} label={t(`settings.row.${name}`)} unit={view.param.unit} />
          <Below>{view.param.description}</Below>
        </Row>
      )
    );
  };
  return (
    <>
      {plain("answer_generator")}
      {plain("chat_base_url")}
      <ChatModelRow settings={settings} />
      {plain("chat_first_token")}
      {plain("chat_silence")}
      {plain("answer_threshold")}
      {plain("answer_log_days")}
    </>
  );
}

function ChatModelRow({ settings }: { settings: Declarations }) {
  const saving = useSaving("chat_model");
  const view = settings.get("chat_model");
  if (!view) return null;
  const value = String(view.value);
  return (
    <Row id="chat_model" title={t("settings.row.chat_model")}>
      <Declared view={view} label={t("settings.row.chat_model")} />
      <div className="row gap-6">
        <Popover
          label={t("chat_models.title")}
          width={WIDTH}
          button={(open, toggle) => (
            <Button
              size="small"
              icon={<IconListSearch className="small" aria-hidden />}
              aria-expanded={open}
              aria-haspopup="dialog"
              onClick={toggle}
            >
              {t("chat_models.choose")}
            </Button>
          )}
        >
          {(close) => (
            <ChatModelSheet
              value={value}
              onChoose={(id) => {
                saving.save(id);
                close();
              }}
            />
          )}
        </Popover>
        <Saved shown={saving.saved} />
      </div>
      {saving.problem && <Wrong>{saving.problem}</Wrong>}
      <Below>{view.param.description}</Below>
    </Row>
  );
}
