import "./kit/styles";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { chooseTransport } from "./api/client";
import { createQueries, followEvents } from "./api/queries";
import type { Transport } from "./api/transport";
import { inDesktop, tauriTransport } from "./api/transport/tauri";
import { App } from "./app/App";
import { reportError, showTrouble } from "./app/error-dialog";
import { followJobs } from "./app/jobs";
import { applyPreferences } from "./app/preferences";
import { keepPlace } from "./app/router";
import { defineAll } from "./app/shortcuts";
import { toast } from "./app/toasts";
import { restoreWorkspace } from "./app/workspace";
import { pages } from "./pages";

async function transport(): Promise<Transport> {
  if (!__FAKE__ || inDesktop()) return tauriTransport();
  const [{ fakeTransport }, { handlers }] = await Promise.all([
    import("./api/transport/fake"),
    import("./api/fake"),
  ]);
  // A script in a browser may change what the engine answers before anything is asked.
  (window as { sibylScene?: (all: typeof handlers) => void }).sibylScene?.(handlers);
  const fake = fakeTransport(handlers, 10);
  // Tests in a browser make things happen through it.
  Object.assign(window, { sibylFake: { ...fake, toast, showTrouble } });
  return fake;
}

applyPreferences();
keepPlace();
chooseTransport(await transport());
restoreWorkspace();
defineAll(pages);
const queries = createQueries((error) => reportError(error));
followEvents(queries);
followJobs();

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <App queries={queries} pages={pages} />
    </StrictMode>,
  );
