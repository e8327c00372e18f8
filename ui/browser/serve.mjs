// Serves a build as the desktop window does: the same security policy, with a nonce for the page's own elements.

import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".woff2": "font/woff2",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'nonce-NONCE'",
  "style-src 'self' 'nonce-NONCE'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Serves `folder` on a free port of this machine. Gives its address and what stops it. */
export async function serve(folder) {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://localhost").pathname).replace(
      /^\/$/,
      "/index.html",
    );
    try {
      let body = await readFile(join(folder, path));
      const headers = { "content-type": TYPES[extname(path)] ?? "application/octet-stream" };
      if (path.endsWith(".html")) {
        const nonce = randomBytes(16).toString("base64");
        headers["content-security-policy"] = POLICY.replaceAll("NONCE", nonce);
        body = Buffer.from(
          body.toString().replace(/<(script|style|link rel="stylesheet")\b/g, `<$1 nonce="${nonce}"`),
        );
      } else {
        // The name of a built file tells its content: pages of one window load and compile it once.
        headers["cache-control"] = "max-age=31536000, immutable";
      }
      response.writeHead(200, headers).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { url: `http://127.0.0.1:${server.address().port}/`, stop: () => server.close() };
}
