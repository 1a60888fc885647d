/**
 * A sealed artifact returns the same responses as the live server with the same metadata. `npm run test:sealed` also
 * runs the other integration tests against artifacts.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CaseResult, checkEnvironment, runSuites } from "../../runtime/cli/database-check/run-suites.ts";
import { readSuites } from "../../runtime/cli/database-check/suites.ts";
import { openTarget } from "../../runtime/cli/database-check/target.ts";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { casesOf } from "../golden/cases.ts";
import { postgresUrl, query } from "../support/database.ts";
import { type SealingFront, startSealingFront } from "../support/sealing-front.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { ensureBuilt, root } from "../support/shared-checks.ts";
import { WebsocketClient } from "../support/websocket.ts";

beforeAll(ensureBuilt, 60_000);

describe("Golden cases through artifacts", () => {
  it("An artifact returns the same results for the golden cases", async () => {
    const target = await openTarget(postgresUrl());
    let front: SealingFront | undefined;
    try {
      const results: CaseResult[] = [];
      await runSuites({
        target,
        suites: await readSuites(),
        selects: (suite) => suite === "query" || suite === "mutation",
        front: async (live) => {
          front = await startSealingFront({ live, environment: checkEnvironment(target) });
          return front.url;
        },
        onResult: (result) => results.push(result),
      });
      expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
      const sealed = (await casesOf("query", "postgres")).length + (await casesOf("mutation", "postgres")).length;
      expect(front?.counts).toEqual({ built: 1, sealed, live: {} });
    } finally {
      await front?.close();
      await target.close();
    }
  }, 60_000);
});

describe("The sample library through artifacts", () => {
  const library = join(root, "fixtures/library");
  const key = "a key of thirty-two letters, or more";
  const claims = {
    "x-engine-default-role": "member",
    "x-engine-allowed-roles": ["member", "librarian"],
    "x-engine-user-id": "00000000-0000-4000-8000-000000000001",
  };
  let live: TestServer;
  let front: SealingFront;
  let bearer: string;

  beforeAll(async () => {
    const environment = {
      ENGINE_GRAPHQL_ADMIN_SECRET: "secret",
      ENGINE_GRAPHQL_UNAUTHORIZED_ROLE: "visitor",
      ENGINE_GRAPHQL_JWT_SECRET: JSON.stringify({ type: "HS256", key, claims_namespace: "claims" }),
      ENGINE_GRAPHQL_REST_RESPONSE: "data",
    };
    bearer = `Bearer ${await token()}`;
    live = await startTestServer({ environment, sealed: false });
    for (const file of ["schema.sql", "seed.sql"]) {
      await query(live.databaseUrl, await readFile(join(library, "postgres", file), "utf8"));
    }
    const { metadata } = await readMetadataDirectory(join(library, "metadata"));
    const secret = { "x-engine-admin-secret": "secret" };
    const replaced = await live.post("/v1/metadata", { type: "replace_metadata", args: { metadata } }, secret);
    expect(replaced.status).toBe(200);
    front = await startSealingFront({
      live: live.url,
      environment: { ...environment, ENGINE_GRAPHQL_DATABASE_URL: live.databaseUrl },
    });
  }, 60_000);

  afterAll(async () => {
    expect(front.counts).toMatchObject({ built: 1, live: {} });
    await front.close();
    await live.close();
  });

  const token = (expiry = "1h"): Promise<string> =>
    new SignJWT({ claims })
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime(expiry)
      .sign(new TextEncoder().encode(key));

  async function answers(path: string, init: RequestInit): Promise<readonly unknown[]> {
    const all: unknown[] = [];
    for (const { url } of [live, front]) {
      const response = await fetch(`${url}${path}`, init);
      all.push({
        status: response.status,
        type: response.headers.get("content-type"),
        text: await response.text(),
      });
    }
    return all;
  }

  const loans = "{ loan(order_by: {id: asc}) { id due_on copy { book { title } } } }";
  const headers: readonly (readonly [string, () => Promise<Record<string, string>>])[] = [
    ["an admin", async () => ({ "x-engine-admin-secret": "secret" })],
    ["a wrong secret", async () => ({ "x-engine-admin-secret": "no" })],
    ["nobody", async () => ({})],
    ["a token", async () => ({ authorization: bearer })],
    ["a token and a role", async () => ({ authorization: bearer, "x-engine-role": "librarian" })],
    ["a token and a role that it does not allow", async () => ({ authorization: bearer, "x-engine-role": "admin" })],
    ["an expired token", async () => ({ authorization: `Bearer ${await token("-1h")}` })],
    ["a token that was changed", async () => ({ authorization: `${bearer}x` })],
    ["no token", async () => ({ authorization: "Bearer" })],
  ];

  it.each(headers)("An artifact returns the same responses with the headers %s", async (_, of) => {
    const texts = [
      loans,
      "{ __schema { queryType { fields { name } } } }",
      "mutation { nothing }",
      "{",
      "query a { loan }",
    ];
    for (const text of texts) {
      const body = JSON.stringify({ query: text });
      const [expected, answered] = await answers("/v1/graphql", { method: "POST", body, headers: await of() });
      expect(answered).toEqual(expected);
    }
    for (const path of ["/api/rest/books", "/api/rest/my/loans", "/api/rest/nowhere", "/v1/graphql", "/nowhere"]) {
      const [expected, answered] = await answers(path, { headers: await of() });
      expect(answered).toEqual(expected);
    }
  });

  it.each([
    ["no JSON", "no"],
    ["a list of requests", JSON.stringify([{ query: "{ book { title } }" }, { query: "{ nothing }" }])],
    [
      "variables of the wrong type",
      JSON.stringify({ query: "query($n: Int) { book(limit: $n) { title } }", variables: { n: "x" } }),
    ],
    ["an unknown operation", JSON.stringify({ query: "query a { book { title } }", operationName: "b" })],
  ])("An artifact returns the same response to a body of %s", async (_, body) => {
    const init = { method: "POST", body, headers: { authorization: bearer } };
    const [expected, answered] = await answers("/v1/graphql", init);
    expect(answered).toEqual(expected);
  });

  const protocols = [
    { protocol: "graphql-ws", begin: "start", end: "stop" },
    { protocol: "graphql-transport-ws", begin: "subscribe", end: "complete" },
  ] as const;

  /** Returns the messages that a connection receives, without periodic ones. */
  async function conversation(url: string, { protocol, begin, end }: (typeof protocols)[number]): Promise<unknown[]> {
    const client = await WebsocketClient.open(url, { protocol });
    const messages: unknown[] = [];
    const until = async (type: RegExp): Promise<void> => {
      for (;;) {
        const message = (await client.next()) as { readonly type: string };
        if (!/^(ka|ping|pong)$/.test(message.type)) messages.push(message);
        if (type.test(message.type)) return;
      }
    };
    client.send({ type: "connection_init", payload: { headers: { authorization: bearer } } });
    await until(/^connection_ack$/);
    const ask = (id: string, text: string) => client.send({ id, type: begin, payload: { query: text } });
    ask("query", loans);
    await until(/^complete$/);
    ask("mutation", 'mutation { update_member(where: {}, _set: {name: "x"}) { affected_rows } }');
    await until(/^(complete|error)$/);
    ask("mistake", "{ nothing }");
    await until(/^error$/);
    ask("live", `subscription ${loans}`);
    await until(/^(next|data)$/);
    client.send({ id: "live", type: end });
    const cursor = "{initial_value: {id: 0}, ordering: ASC}";
    ask("stream", `subscription { loan_stream(batch_size: 1, cursor: [${cursor}]) { id } }`);
    await until(/^(next|data)$/);
    client.ws.terminate();
    return messages;
  }

  it.each(protocols)("An artifact sends the same messages over $protocol", async (protocol) => {
    const expected = await conversation(live.url, protocol);
    expect(expected.at(-1)).toMatchObject({ payload: { data: { loan_stream: [{ id: 1 }] } } });
    expect(await conversation(front.url, protocol)).toEqual(expected);
  });
});
