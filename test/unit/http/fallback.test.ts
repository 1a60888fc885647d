/** The limits of the server of `--fallback`, with shorter ones in their place. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { HttpUrl } from "../../../runtime/config/http-url.ts";
import { Fallback, fallbackLimits } from "../../../runtime/http/fallback.ts";
import { HttpClient } from "../../../runtime/outbound/http-client.ts";
import { noMeters } from "../../../runtime/ports/metrics.ts";
import type { PlainRequest } from "../../../runtime/ports/request.ts";
import { noSpan } from "../../../runtime/values/span.ts";
import { type OldEngine, respondWithArticle, startOldEngine } from "../../support/old-engine.ts";
import { root } from "../../support/shared-checks.ts";

let old: OldEngine;
const clients: HttpClient[] = [];

beforeAll(async () => {
  old = await startOldEngine();
});

beforeEach(() => {
  old.requests.length = 0;
  old.respond = respondWithArticle;
});

afterAll(async () => {
  for (const client of clients) await client.close();
  await old?.close();
});

/** Forwards an operation of a kind, with some limits changed. */
function forward(kind: "query" | "mutation", limits: Partial<typeof fallbackLimits>) {
  const client = new HttpClient({ ...fallbackLimits, ...limits });
  clients.push(client);
  const log = { info: () => {} } as never;
  const fallback = new Fallback({
    server: new HttpUrl(new URL(old.url)),
    prefix: "x-old-",
    client,
    log,
    meters: noMeters,
  });
  const request = { method: "POST", path: "/v1/graphql", headers: {}, requestId: "1", span: noSpan } as PlainRequest;
  return fallback.forward({
    request,
    session: { role: "user" } as never,
    operation: { query: `${kind} { article { id } }`, operationName: null, variables: null },
    unserved: {
      kind,
      fields: ["query_root.article"],
      reason: "root_field",
      identity: () => ({ operation_name: "", parameterized_query_hash: kind }),
    },
  });
}

it.each(["query", "mutation"] as const)("A %s without a response in time fails, and is sent once", async (kind) => {
  old.respond = () => {};
  await expect(forward(kind, { milliseconds: 1500 })).rejects.toMatchObject({
    code: "fallback-failed",
    status: 502,
    internal: { reason: expect.stringMatching(/time/) },
  });
  expect(old.requests).toHaveLength(1);
});

it("A response that does not end in time fails, although it has begun", async () => {
  old.respond = (_, response) => response.writeHead(200, { "content-type": "application/json" }).write("{");
  await expect(forward("query", { milliseconds: 1500 })).rejects.toMatchObject({
    code: "fallback-failed",
    status: 502,
  });
});

it("A response of the maximum length is returned, and a longer one fails", async () => {
  const text = JSON.stringify({ data: { article: "a".repeat(1000) } });
  old.respond = (_, response) => response.writeHead(200, { "content-type": "application/json" }).end(text);
  expect(await forward("query", { responseBytes: text.length })).toMatchObject({ status: 200, body: text });
  await expect(forward("query", { responseBytes: text.length - 1 })).rejects.toMatchObject({
    code: "fallback-failed",
    status: 502,
    internal: { reason: expect.stringContaining("max size") },
  });
});

it("The page on moving in states the limits", async () => {
  const page = (await readFile(join(root, "docs/how-to/moving-in.md"), "utf8")).replaceAll("\n", " ");
  expect(page).toContain(`does not respond within ${fallbackLimits.milliseconds / 1000} seconds`);
  expect(page).toContain(`more than ${fallbackLimits.responseBytes / 1024 / 1024} MiB`);
  expect(page).toContain("redirects are not followed");
  expect(fallbackLimits.redirects).toBe(0);
});
