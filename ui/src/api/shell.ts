// What the window itself does for a page: native dialogs, the file manager, links from outside, its end. The engine knows nothing of them.

import { type Command, call } from "./client";

const ask = async (command: string, input = {}): Promise<string[]> => {
  const answer: unknown = await call(command as Command, input);
  return (answer as { paths: string[] }).paths;
};

/** Lets the reader choose files; none where the dialog was closed. */
export const pickFiles = () => ask("shell.pick_files");

/** Lets the reader choose folders; none where the dialog was closed. */
export const pickFolders = () => ask("shell.pick_folders");

/** Lets the reader say where a file is to be written; nothing where the dialog was closed. */
export const pickPlace = async (name: string): Promise<string | undefined> =>
  (await ask("shell.save_file", { name }))[0];

/** Writes `text` where the reader says; gives the place, or nothing where the dialog was closed. */
export const saveText = async (name: string, text: string): Promise<string | undefined> =>
  (await ask("shell.save_text", { name, text }))[0];

/** Writes a file, given in Base64, where the reader says; gives the place, or nothing where the dialog was closed. */
export const saveFile = async (
  name: string,
  content: string,
  media_type: string,
): Promise<string | undefined> => (await ask("shell.save_bytes", { name, content, media_type }))[0];

/** Opens the data folder in the file manager. */
export const showFolder = () => ask("shell.show_folder");

/** Leaves the server: its token is forgotten. */
export const signOut = () => ask("shell.sign_out");

/** Ends the program; a job goes on at the next start. */
export const quit = () => ask("shell.quit");

/** The link that the program was opened with and that nobody has followed yet. */
export const openedLink = async (): Promise<string | undefined> => {
  const link: unknown = await call("shell.link" as Command, {});
  return typeof link === "string" ? link : undefined;
};
