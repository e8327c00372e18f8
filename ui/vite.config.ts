/// <reference types="vitest/config" />
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// Numbers and dates follow the language of the machine, and tests read them.
if (process.env.VITEST) process.env.LC_ALL = "en_US.UTF-8";

// `--mode fake` builds the UI with its in-memory engine, for tests in a plain browser.
export default defineConfig(({ mode }) => ({
  plugins: [react()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  clearScreen: false,
  define: { __FAKE__: JSON.stringify(mode !== "production") },
  server: { port: 1420, strictPort: true, host: "127.0.0.1" },
  build: {
    target: "safari16",
    outDir: mode === "fake" ? "dist-fake" : "dist",
    // The content security policy allows neither data: scripts and fonts nor the inline preload polyfill.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    chunkSizeWarningLimit: 600,
    rolldownOptions: { input: mode === "fake" ? ["index.html", "gallery.html"] : ["index.html"] },
  },
  test: {
    environment: "jsdom",
    setupFiles: ["src/test/setup.ts"],
    include: ["src/**/*.test.{ts,tsx}"],
    css: { modules: { classNameStrategy: "non-scoped" } },
    maxWorkers: 2,
    // Files share the window and the libraries of their worker; src/test/setup.ts parts them.
    isolate: false,
    // Ends what hangs; a busy machine only makes tests slow.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
}));
