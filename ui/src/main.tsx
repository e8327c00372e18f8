import "./kit/styles";
import { notifyManager } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { chooseTransport, enterWorkspace } from "./api/client";
import { askAhead, createQueries, followEvents } from "./api/queries";
import type { Transport } from "./api/transport";
import { inDesktop, tauriTransport } from "./api/transport/tauri";
import { App } from "./app/App";
import { defineAll } from "./app/shortcuts";
import { pages } from "./pages";
import { followJobs } from "./state/jobs";
import { applyPreferences } from "./state/preferences";
import { keepPlace, parseRoute } from "./state/router";
import { sourceTypesTold, withSourceTypes } from "./state/source-types";
import { toast } from "./state/toasts";
import { reportError, showTrouble } from "./state/trouble";
import { restoreWorkspace } from "./state/workspace";

const element = document.getElementById("root");
const root = element && createRoot(element);

async function transport(): Promise<Transport> {
  if (inDesktop()) return tauriTransport();
  if (!__FAKE__) return (await import("./app/SignIn")).signedIn((page) => root?.render(page));
  const [{ fakeTransport }, { handlers }, { runningJob }, { missed }] = await Promise.all([
    import("./api/transport/fake"),
    import("./api/fake"),
    import("./api/fake/library/jobs"),
    import("./api/recording"),
  ]);
  // A script in a browser may change what the engine answers before anything is asked.
  (window as { sibylScene?: (all: typeof handlers) => void }).sibylScene?.(handlers);
  const fake = fakeTransport(handlers, 10);
  // Tests in a browser make things happen through it.
  Object.assign(window, { sibylFake: { ...fake, missed, runningJob, toast, showTrouble } });
  return fake;
}

// An answer is drawn in the task that brings it; by default a timer would put it off.
notifyManager.setScheduler(queueMicrotask);
applyPreferences();
const door = withSourceTypes(await transport());
chooseTransport(door);
if (door.workspace === undefined) restoreWorkspace();
else enterWorkspace(door.workspace);
keepPlace();
defineAll(pages);
const queries = createQueries((error) => reportError(error));
followEvents(queries);
followJobs();
// What the first frame shows is asked for while the script of its screen is read, so that it is painted once.
for (const command of ["library.overview", "app.info", "model.list", "job.list", "workspace.list"] as const)
  askAhead(queries, command, {});
const opening = pages.find((page) => page.id === parseRoute(window.location.hash).page) ?? pages[0];
// The address is read by names of the kinds; an engine that is slow to tell them does not leave the window empty.
const patience = new Promise((resolve) => setTimeout(resolve, 2000));
await Promise.all([opening?.load().catch(() => undefined), Promise.race([sourceTypesTold(), patience])]);

root?.render(
  <StrictMode>
    <App queries={queries} pages={pages} />
  </StrictMode>,
);
