// The tools, resources and prompts through the official client: `node agents/client.mjs stdio PROGRAM WORD…` or
// `node agents/client.mjs http ADDRESS TOKEN`.

import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ProgressNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

const [how, place, ...words] = process.argv.slice(2);
const PARAGRAPH = "S2.14(a)(iv)";

const transport =
  how === "stdio"
    ? new StdioClientTransport({ command: place, args: words, env: process.env, stderr: "inherit" })
    : new StreamableHTTPClientTransport(new URL("/mcp", place), {
        requestInit: { headers: { authorization: `Bearer ${words[0]}` } },
      });
const client = new Client({ name: "doors", version: "1" });
await client.connect(transport);
assert.equal(client.getServerVersion()?.name, "sibyl");

// The client holds each result against the schema that the tool declares.
const { tools } = await client.listTools();
assert.deepEqual(
  tools.map(({ name }) => name),
  [
    "rag_lookup",
    "search_laws",
    "search_company_files",
    "get_paragraph",
    "list_reports",
    "find_figures",
    "list_assessments",
    "read_assessment",
    "read_requirement",
    "list_open_items",
    "propose_finding",
    "ask",
  ],
);
const call = async (name, args, options) => {
  const result = await client.callTool({ name, arguments: args }, undefined, options);
  assert.ok(!result.isError, JSON.stringify(result.content));
  assert.ok(result.structuredContent, `${name} gives structured content`);
  return result;
};

const found = await call("rag_lookup", { query: "transition plan", source_types: ["ifrs_s2"], top_k: 2 });
assert.match(found.content[0].text, /^--- Result 1 \(source: ifrs_s2, score: /);
const laws = await call("search_laws", { query: "transition plan" });
assert.equal(laws._meta?.tool, "search_laws");
assert.ok(
  Number.isInteger(laws._meta?.executionTime) && laws._meta?.chunksSearched > 0,
  JSON.stringify(laws._meta),
);
assert.equal((await call("get_paragraph", { id: PARAGRAPH })).structuredContent.id, PARAGRAPH);
// The client forgets who hears of the progress as soon as it reads the answer, before it has passed on what it read
// together with it.
const steps = [];
client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => {
  steps.push(params.progress);
});
const answer = await call("ask", { question: "What is a transition plan?" }, { onprogress: () => {} });
assert.equal(typeof answer.structuredContent.answer, "string");
assert.ok(steps.length >= 2, "it tells how far it has come");
const wrong = await client.callTool({ name: "get_paragraph", arguments: { id: "S2.99" } });
assert.ok(wrong.isError && /^not_found: /.test(wrong.content[0].text));

const { resourceTemplates } = await client.listResourceTemplates();
assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === "sibyl://standards/{id}"));
const { contents } = await client.readResource({ uri: `sibyl://standards/${PARAGRAPH}` });
assert.match(contents[0].text, /transition plan/);
const { completion } = await client.complete({
  ref: { type: "ref/resource", uri: "sibyl://standards/{id}" },
  argument: { name: "id", value: "S2.14(a)(i" },
});
assert.ok(completion.values.includes(PARAGRAPH));

const { prompts } = await client.listPrompts();
assert.equal(prompts.length, 2);
const prompt = await client.getPrompt({
  name: "review_paragraph",
  arguments: { paragraph_id: PARAGRAPH, report_id: "acme" },
});
assert.match(prompt.messages[0].content.text, /report_id acme/);

await client.close();
