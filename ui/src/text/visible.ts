// Names and messages that come from outside, made harmless to look at.

/** Signs that turn the order of what follows, or that draw nothing: a name with them may pass for another. */
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\u200b\u2060\ufeff]/gu;

/** Signs that turn the order of what follows until they are taken back. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Prose with a mark in place of each sign that would reorder it or what stands around it; as long as before. */
export const inert = (text: string): string => text.replace(TURNS, "\ufffd");

/** `text` with a mark in place of each sign that would hide or reorder others. */
export const visible = (text: string): string => text.replace(UNSEEN, "\ufffd");
