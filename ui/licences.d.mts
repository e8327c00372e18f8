/** What the two lock files name, so that a test can tell whether the list is of them. */
export function lockedNow(): string;
