// Whom the settings name as providers, and what they are sent. It says what the engine does, so that the statement
// on privacy can be taken at its word.

import type { Secret, SecretStatus, SettingView } from "@/api/types";

/** Where a provider stands: none is set, it waits for a key, it runs on this computer, or what it is sent leaves. */
export type Reach = "none" | "keyless" | "local" | "remote";

/** A provider as it is set. */
export type Provider = { reach: Reach; host: string };

function parsed(address: string): URL | undefined {
  try {
    return new URL(address.trim());
  } catch {
    return undefined;
  }
}

/** Whether an address is one of this computer, by which the engine asks for no key. */
export function isLocal(address: string): boolean {
  const host = parsed(address)?.hostname ?? "";
  return host === "localhost" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
}

/** The provider at `address`. As long as nobody knows whether there is a key, there may be one. */
function providerAt(address: string, secret: Secret, keys: readonly SecretStatus[] | undefined): Provider {
  const host = parsed(address)?.host ?? address;
  if (isLocal(address)) return { reach: "local", host };
  const keyless = keys?.find((each) => each.secret === secret)?.source === "none";
  return { reach: keyless ? "keyless" : "remote", host };
}

const NONE: Provider = { reach: "none", host: "" };

/** The providers that are in use. */
export function providersOf(
  settings: ReadonlyMap<string, SettingView>,
  keys: readonly SecretStatus[] | undefined,
): { embedding: Provider; rerank: Provider } {
  const address = (name: string) => String(settings.get(name)?.value ?? "").trim();
  const remote = settings.get("remote_embedding")?.value === true;
  const rerank = address("rerank_base_url");
  // While remote models are off, nothing but this computer is spoken to.
  const reranks = rerank !== "" && (remote || isLocal(rerank));
  return {
    embedding: remote ? providerAt(address("base_url"), "openrouter", keys) : NONE,
    rerank: reranks ? providerAt(rerank, "rerank", keys) : NONE,
  };
}
