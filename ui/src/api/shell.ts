// What the window itself does for a page: native dialogs. The engine knows nothing of them.

import { type Command, call } from "./client";

const pick = async (command: string, input = {}): Promise<string[]> => {
  const answer: unknown = await call(command as Command, input);
  return (answer as { paths: string[] }).paths;
};

/** Lets the reader choose files; none where the dialog was closed. */
export const pickFiles = () => pick("shell.pick_files");

/** Lets the reader choose folders; none where the dialog was closed. */
export const pickFolders = () => pick("shell.pick_folders");

/** Lets the reader say where a file is to be written; nothing where the dialog was closed. */
export const pickPlace = async (name: string): Promise<string | undefined> =>
  (await pick("shell.save_file", { name }))[0];
