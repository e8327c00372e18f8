// The workspaces: which one the window works in, new ones, and those that go.

import { IconFolder, IconFolderPlus, IconSettings, IconTrash } from "@tabler/icons-react";
import { type ReactElement, useState } from "react";
import { may } from "@/api/client";
import { useAction } from "@/api/queries";
import type { Workspace } from "@/api/types";
import { Button, IconButton } from "@/kit/Button";
import { Confirm } from "@/kit/Confirm";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { Select, TextField } from "@/kit/fields";
import { Menu } from "@/kit/Menu";
import { Name } from "@/kit/Name";
import { Tag } from "@/kit/Pill";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { Loaded, SkeletonRows } from "@/kit/states";
import { createStore } from "@/kit/store";
import { toast } from "@/state/toasts";
import { DEFAULT_WORKSPACE, useWorkspaces } from "@/state/workspace";
import { t } from "@/text";
import { moment, sentence } from "@/text/format";
import { visible } from "@/text/visible";
import css from "./workspaces.module.css";

const open = createStore<"list" | "new" | undefined>(undefined);

/** Opens the dialog, with the name of a new one to type where that is wanted. */
export const showWorkspaces = (at: "list" | "new" = "list") => open.set(at);

type WorkspaceMenuProps = {
  /** The button that opens it. */
  children: ReactElement;
  position?: "bottom-end" | "top-end";
};

/** The menu of workspaces, on any button. */
export function WorkspaceMenu({ children, position = "bottom-end" }: WorkspaceMenuProps) {
  const { current, names, enter } = useWorkspaces();
  return (
    <Menu
      label={t("app.workspaces")}
      position={position}
      entries={[
        ...names.map((name) => ({
          label: name,
          checked: name === current,
          onClick: () => name !== current && enter(name),
        })),
        "line",
        may("workspace.create") && {
          label: t("workspaces.new_menu"),
          icon: <IconFolderPlus className="small" aria-hidden />,
          onClick: () => showWorkspaces("new"),
        },
        may("workspace.create") && {
          label: t("workspaces.manage"),
          icon: <IconSettings className="small" aria-hidden />,
          onClick: () => showWorkspaces(),
        },
      ]}
    >
      {children}
    </Menu>
  );
}

function Line({
  workspace,
  current,
  onEnter,
  onDelete,
}: {
  workspace: Workspace;
  current: boolean;
  onEnter: () => void;
  onDelete: () => void;
}) {
  const { name, created_at } = workspace;
  const stays = name === DEFAULT_WORKSPACE;
  return (
    <li className={`row gap-6 ${css.line}`}>
      <IconFolder className="small" aria-hidden />
      <b className="row">
        <Name>{name}</Name>
      </b>
      {current && <Tag>{t("workspaces.current")}</Tag>}
      <span className="xs mut nowrap push">{t("workspaces.made", { at: moment(created_at) })}</span>
      <Button size="tiny" aria-label={t("workspaces.switch", { name })} disabled={current} onClick={onEnter}>
        {t("workspaces.switch_short")}
      </Button>
      <IconButton
        size="small"
        label={stays ? t("workspaces.kept") : t("workspaces.delete", { name })}
        disabled={stays}
        onClick={onDelete}
      >
        <IconTrash className="small" aria-hidden />
      </IconButton>
    </li>
  );
}

const LANGUAGES = ["en", "sv"] as const;

function Create({
  taken,
  first,
  onMade,
}: {
  taken: readonly string[];
  first: boolean;
  onMade: (name: string) => void;
}) {
  const create = useAction("workspace.create", { inPlace: true });
  const [name, setName] = useState("");
  const [language, setLanguage] = useState<(typeof LANGUAGES)[number]>("en");
  const wanted = name.trim();
  const exists = taken.includes(wanted);
  return (
    <form
      className="col gap-6"
      aria-label={t("workspaces.new")}
      onSubmit={(event) => {
        event.preventDefault();
        if (wanted === "" || exists || create.isPending) return;
        create.mutate({ name: wanted, language }, { onSuccess: (made) => onMade(made.name) });
      }}
    >
      <h3 className="h2">{t("workspaces.new")}</h3>
      <div className="row gap-6">
        <TextField
          label={t("workspaces.name")}
          placeholder={t("workspaces.name")}
          className="grow"
          value={name}
          error={exists || create.error !== null}
          data-autofocus={first || undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <span className="sm sec nowrap">{t("workspaces.language")}</span>
        <Select
          label={t("workspaces.language")}
          width={104}
          value={language}
          onChange={(chosen) => setLanguage(LANGUAGES.find((each) => each === chosen) ?? "en")}
          options={LANGUAGES.map((each) => ({ value: each, label: t(`workspaces.languages.${each}`) }))}
        />
        <Button type="submit" tone="primary" disabled={wanted === "" || exists || create.isPending}>
          {t("workspaces.create")}
        </Button>
      </div>
      {(exists || create.error) && (
        <div role="alert" className="xs c-bad">
          {exists ? t("workspaces.taken") : visible(sentence(create.error?.message ?? ""))}
        </div>
      )}
    </form>
  );
}

function Body({ at, onClose }: { at: "list" | "new"; onClose: () => void }) {
  const { current, query, names, enter } = useWorkspaces();
  const remove = useAction("workspace.delete");
  const [leaving, setLeaving] = useState<string>();
  const go = (name: string) => {
    enter(name);
    toast({ kind: "ok", title: t("workspaces.entered", { name }) });
    onClose();
  };
  return (
    <>
      <div className="ask">
        <div>
          <h2>{t("workspaces.title")}</h2>
          <p className="sm sec">{t("workspaces.note")}</p>
        </div>
        <Loaded query={query} skeleton={<SkeletonRows rows={2} />}>
          {(list) => (
            <ScrollRegion as="ul" className={css.list} aria-label={t("workspaces.list")}>
              {list.map((each) => (
                <Line
                  key={each.id}
                  workspace={each}
                  current={each.name === current}
                  onEnter={() => go(each.name)}
                  onDelete={() => setLeaving(each.name)}
                />
              ))}
            </ScrollRegion>
          )}
        </Loaded>
        <Create taken={names} first={at === "new"} onMade={go} />
      </div>
      <DialogFoot>
        <span className="grow" />
        <Button onClick={onClose} data-autofocus={at === "list" || undefined}>
          {t("workspaces.close")}
        </Button>
      </DialogFoot>
      {leaving !== undefined && (
        <Confirm
          title={t("workspaces.sure", { name: leaving })}
          detail={t("workspaces.sure_detail")}
          confirm={t("workspaces.confirm")}
          keep={t("workspaces.keep")}
          danger
          pending={remove.isPending}
          onClose={() => setLeaving(undefined)}
          onConfirm={() =>
            remove.mutate(
              { name: leaving },
              {
                onSuccess: () => {
                  if (leaving === current) enter(DEFAULT_WORKSPACE);
                  toast({ kind: "ok", title: t("workspaces.deleted", { name: leaving }) });
                },
                onSettled: () => setLeaving(undefined),
              },
            )
          }
        />
      )}
    </>
  );
}

/** The dialog, when it is open. */
export function Workspaces() {
  const at = open.use();
  const close = () => open.set(undefined);
  return (
    <Dialog open={at !== undefined} onClose={close} label={t("workspaces.title")} width={560}>
      {at && <Body at={at} onClose={close} />}
    </Dialog>
  );
}
