// How far files of a browser are on their way to the server.

import { createStore } from "@/kit/store";

/** The file that is being sent, from 1, of how many. */
export type Uploading = { file: number; of: number };

const uploading = createStore<Uploading | undefined>(undefined);

/** What is being sent now; nothing where nothing is. */
export const useUploading = uploading.use;

/** Tells whoever follows it. */
export const tellUploading = uploading.set;
