// What the window itself does for a page: native dialogs. The engine knows nothing of them.

import { type Command, call } from "./client";

const pick = async (command: string): Promise<string[]> => {
  const answer: unknown = await call(command as Command, {});
  return (answer as { paths: string[] }).paths;
};

/** Lets the reader choose files; none where the dialog was closed. */
export const pickFiles = () => pick("shell.pick_files");

/** Lets the reader choose folders; none where the dialog was closed. */
export const pickFolders = () => pick("shell.pick_folders");
