/** A response that was ready before a suspension is not sent if the permission is revoked during the suspension. */
import { afterEach, expect, it } from "vitest";
import type { GraphqlService, ResponseValidity } from "../../../runtime/ports/graphql.ts";
import type { Services } from "../../../runtime/ports/services.ts";
import { JoinedBytes } from "../../../runtime/values/joined-bytes.ts";
import { longTextOf } from "../../support/long-text.ts";
import { type StubApp, startStubApp } from "../../support/stub-app.ts";
import { executing } from "../../support/stub-services.ts";
import { WebsocketClient } from "../../support/websocket.ts";

let app: StubApp | undefined;
afterEach(async () => {
  app?.app.terminate();
  await app?.app.close();
});

const gone: ResponseValidity = { isCurrent: () => Promise.resolve(false) };
const stays: ResponseValidity = { isCurrent: () => Promise.resolve(true) };
const long = `"${"secret ".repeat(1000)}"`;
const message = "metadata changed while this process was suspended; reads were discarded, committed writes remain";
const refused = { code: "conflict", error: message, path: "$" };

/** Queries depend on the objects that their text names, mutations on nothing. */
async function start(): Promise<string> {
  const execute: GraphqlService["execute"] = async ({ query }, _by, _caller, headers) => {
    if (query.includes("gone")) headers?.validWhile?.(gone);
    if (query.includes("stays")) headers?.validWhile?.(stays);
    if (query.includes("pieces")) return longTextOf('"secret', ' secret"');
    if (query.includes("row")) return new JoinedBytes([Buffer.from('"secret"')]);
    return query.includes("long") ? long : '"secret"';
  };
  const rest = {
    find: async () => ({
      kind: "found" as const,
      operation: { kind: "query" as const, collection: "a", name: "a", text: "{ gone }", variables: {} },
      path: "a",
      variables: new Map<string, string>(),
      run: execute,
    }),
    openApi: () => "{}",
    openApiRoles: () => [],
  };
  const metadata: Services["metadata"] = {
    async handle(_endpoint, _body, _session, _client, validity) {
      validity?.validWhile?.(gone);
      return ["secret"];
    },
    notices: () => [],
  };
  app = await startStubApp({}, { graphql: executing(execute), rest, metadata });
  return app.url;
}

async function ask(url: string, body: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(`${url}/v1/graphql`, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: answer.status, body: await answer.text() };
}

it.each([
  ["as text", { query: "{ gone }" }, {}],
  ["compressed", { query: "{ gone long }" }, { "accept-encoding": "gzip" }],
  ["in pieces", { query: "{ gone pieces }" }, {}],
  ["as a long row", { query: "{ gone row }" }, {}],
  ["as a long row, compressed", { query: "{ gone row }" }, { "accept-encoding": "gzip;q=1, identity;q=0" }],
  ["in a batch", [{ query: "{ stays }" }, { query: "{ gone }" }], {}],
  ["as an event", { query: "{ gone }" }, { accept: "text/event-stream", "content-type": "application/json" }],
])("An outdated result %s is withheld over HTTP", async (_, body, headers) => {
  const url = await start();
  const answer = await ask(url, body, headers);
  expect({ status: answer.status, body: JSON.parse(answer.body) }).toEqual({ status: 409, body: refused });
});

it("An outdated result is withheld by a REST endpoint", async () => {
  const answer = await fetch(`${await start()}/api/rest/a`);
  expect([answer.status, await answer.json()]).toEqual([409, refused]);
});

it("An outdated result is withheld by /v1/query", async () => {
  const answer = await fetch(`${await start()}/v1/query`, { method: "POST", body: '{"type":"select","args":{}}' });
  expect([answer.status, await answer.json()]).toEqual([409, refused]);
});

it.each(["graphql-ws", "graphql-transport-ws"])("An outdated result is withheld over %s", async (protocol) => {
  const client = await WebsocketClient.open(await start(), { protocol });
  client.send({ type: "connection_init" });
  client.send({ type: protocol === "graphql-ws" ? "start" : "subscribe", id: "1", payload: { query: "{ gone }" } });
  for (;;) {
    const text = JSON.stringify(await client.next());
    expect(text).not.toContain("secret");
    if (text.includes(message)) break;
  }
});

it("A current query result and a mutation result are sent", async () => {
  const url = await start();
  for (const query of ["{ stays }", "mutation { a }"]) {
    expect(await ask(url, { query })).toEqual({ status: 200, body: '{"data":"secret"}' });
  }
  const packed = await fetch(`${url}/v1/graphql`, {
    method: "POST",
    headers: { "accept-encoding": "gzip" },
    body: JSON.stringify({ query: "{ stays long }" }),
  });
  expect(await packed.json()).toEqual({ data: JSON.parse(long) });
});
