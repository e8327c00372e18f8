// Stores findings one after the other. What could not be stored is kept as it was typed, and told.

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { call, EngineError } from "@/api/client";
import { keyOf, refresh, tagsOf } from "@/api/queries";
import type { Review } from "@/api/types";
import { createStore } from "@/kit/store";
import { toast } from "@/state/toasts";
import { t } from "@/text";
import { sentence } from "@/text/format";
import { shortId } from "./outline";

/** Which findings the screen asks for: those of all reports. */
export const ALL = { report_id: null };

/** A finding that the library does not hold yet. */
export type Unsaved = {
  workspace: string;
  review: Review;
  /** Why it could not be stored; nothing while it waits for its turn. */
  error?: EngineError;
};

/** What names a finding within its workspace. */
export type FindingId = Pick<Review, "report_id" | "paragraph_id">;

/** Whether two findings are on the same paragraph in the same report. */
export const sameFinding = (a: FindingId, b: FindingId) =>
  a.report_id === b.report_id && a.paragraph_id === b.paragraph_id;

const keyOfFinding = (workspace: string, { report_id, paragraph_id }: FindingId) =>
  JSON.stringify([workspace, report_id, paragraph_id]);

/** The findings of one window that are on their way to the library. */
class Saving {
  readonly unsaved = createStore<readonly Unsaved[]>([]);
  /** Findings on screen: they show their failure themselves. */
  private readonly shown = new Set<string>();
  private readonly told = new Map<string, () => void>();
  private busy = false;

  constructor(private readonly queries: QueryClient) {}

  /** Stores a finding of a workspace. Of several changes to one finding that wait, the latest is stored. */
  save(workspace: string, review: Review): void {
    const entry: Unsaved = { workspace, review: { ...review, updated_at: new Date().toISOString() } };
    this.forget(entry);
    this.unsaved.set([...this.others(entry), entry]);
    void this.pump();
  }

  /** Says that a finding is on screen, until it no longer is. A failure that it shows by then is told elsewhere. */
  show(workspace: string, id: FindingId): () => void {
    const key = keyOfFinding(workspace, id);
    this.shown.add(key);
    return () => {
      this.shown.delete(key);
      const left = this.find({ workspace, review: id });
      if (left?.error) this.tell(left, left.error);
    };
  }

  private async pump(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    for (let next = this.waiting(); next; next = this.waiting()) await this.store(next);
    this.busy = false;
    await refresh(this.queries, tagsOf("review.put"));
  }

  private waiting = () => this.unsaved.get().find(({ error }) => !error);

  private async store(entry: Unsaved): Promise<void> {
    const { workspace, review } = entry;
    try {
      await call("review.put", review, { workspace });
    } catch (thrown) {
      // What was typed meanwhile is stored next, and says how that went.
      if (this.unsaved.get().includes(entry)) this.fail({ ...entry, error: EngineError.from(thrown) });
      return;
    }
    this.queries.setQueryData<Review[]>(
      keyOf("review.list", ALL, workspace),
      (now) => now && [...now.filter((each) => !sameFinding(each, review)), review],
    );
    this.unsaved.set(this.unsaved.get().filter((each) => each !== entry));
  }

  private fail(entry: Unsaved & { error: EngineError }): void {
    this.unsaved.set([...this.others(entry), entry]);
    if (!this.shown.has(keyOfFinding(entry.workspace, entry.review))) this.tell(entry, entry.error);
  }

  private tell(entry: Unsaved, error: EngineError): void {
    this.forget(entry);
    const { workspace, review } = entry;
    const dismiss = toast({
      kind: "bad",
      title: t("standards.review.not_stored_of", { id: shortId(review.paragraph_id) }),
      detail: `${sentence(error.message)} ${t("standards.review.kept")}`,
      action: {
        label: t("errors.cure.retry"),
        onClick: () => this.save(workspace, this.find(entry)?.review ?? review),
      },
    });
    this.told.set(keyOfFinding(workspace, review), dismiss);
  }

  private find = (entry: { workspace: string; review: FindingId }) =>
    this.unsaved
      .get()
      .find((each) => each.workspace === entry.workspace && sameFinding(each.review, entry.review));

  private others = (entry: Unsaved) => {
    const former = this.find(entry);
    return this.unsaved.get().filter((each) => each !== former);
  };

  private forget({ workspace, review }: Unsaved): void {
    const key = keyOfFinding(workspace, review);
    this.told.get(key)?.();
    this.told.delete(key);
  }
}

const windows = new WeakMap<QueryClient, Saving>();

function savingOf(queries: QueryClient): Saving {
  const saving = windows.get(queries) ?? new Saving(queries);
  windows.set(queries, saving);
  return saving;
}

/** What stores findings, and those that are not stored yet. */
export function useSaving() {
  const saving = savingOf(useQueryClient());
  return { saving, unsaved: saving.unsaved.use() };
}
