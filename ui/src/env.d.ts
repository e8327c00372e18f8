/// <reference types="vite/client" />

/** Whether this build carries the in-memory engine. */
declare const __FAKE__: boolean;
