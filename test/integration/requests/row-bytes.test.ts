/** Rows that the server sends as the bytes that it received, compared with rows that it reads as text. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestEngine, usualMode } from "../../support/compiled.ts";
import { createDatabase, postgresUrl, query } from "../../support/database.ts";
import { openEvents } from "../../support/event-stream.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

/** Lengths around the limits of rows as bytes, of reads from a socket, and of responses that are sent in slices. */
const lengths = [0, 1, 1990, 2048, 2100, 16_000, 65_400, 65_536, 66_000, 300_000, 1_100_000];

let server: TestServer;
/** Reads all rows of the same database as text. */
let reference: TestEngine;

const environment = { ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "50" };

async function readingText(databaseUrl: string, ...tables: readonly string[]): Promise<TestEngine> {
  const engine = new TestEngine(databaseUrl, new Map(), { ...usualMode, readsBytes: false });
  await engine.track(tables.map((name) => ({ table: { schema: "public", name } })));
  return engine;
}

beforeAll(async () => {
  server = await startTestServer({ environment });
  await query(
    server.databaseUrl,
    `create table note (id integer primary key, text text, words text);
     create table size (id integer primary key, value text);
     insert into note select length, repeat('x', length), left(repeat('ä€😀"\\' || chr(10), length), length)
       from unnest('{${lengths.join(",")}}'::int[]) length;
     insert into size select id, repeat('ß', 3000) from generate_series(1, 3) id`,
  );
  await server.metadata("pg_track_table", { table: "note" });
  await server.metadata("pg_track_table", { table: "size" });
  const permission = { columns: "*", filter: {} };
  await server.metadata("pg_create_select_permission", { table: "note", role: "limited", permission });
  await server.metadata("set_api_limits", { disabled: false, time_limit: { global: 600, per_role: { limited: 60 } } });
  const queries = [{ name: "note", query: `query note($id: Int!) { ${selection("$id")} }` }];
  await server.metadata("create_query_collection", { name: "notes", definition: { queries } });
  const definition = { query: { collection_name: "notes", query_name: "note" } };
  await server.metadata("create_rest_endpoint", { name: "note", url: "note/:id", methods: ["GET"], definition });
  reference = await readingText(server.databaseUrl, "note", "size");
});

const selection = (id: unknown): string => `note_by_pk(id: ${id}) { id text words }`;

afterAll(async () => {
  await reference.close();
  await server.close();
});

async function ask(on: TestServer, body: unknown, headers: Record<string, string> = {}): Promise<Buffer> {
  const response = await fetch(`${on.url}/v1/graphql`, {
    method: "POST",
    headers: { "accept-encoding": "identity", ...headers },
    body: JSON.stringify(body),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const length = response.headers.get("content-length");
  if (response.headers.get("content-encoding") === null) expect(Number(length)).toBe(bytes.length);
  return bytes;
}

/** Compares the response of an operation, alone and in a batch, with rows that are read as text. */
async function expectSame(on: TestServer, text: TestEngine, operation: { readonly query: string }): Promise<Buffer> {
  const [bytes, batch] = [await ask(on, operation), await ask(on, [operation, operation])];
  expect(batch.equals(Buffer.concat([Buffer.from("["), bytes, Buffer.from(","), bytes, Buffer.from("]")]))).toBe(true);
  const data = await text.text("admin", operation.query).catch(() => undefined);
  if (data === undefined) expect(bytes.toString()).toContain('"errors"');
  else expect(bytes.equals(Buffer.from(`{"data":${data}}`))).toBe(true);
  return bytes;
}

const change = (text: string) => query(server.databaseUrl, text);

describe("Rows as bytes", () => {
  it.each(lengths)("A row of %i characters has the same bytes as its text", async (length) => {
    for (const field of ["text", "words"]) {
      const bytes = await expectSame(server, reference, { query: `{ note_by_pk(id: ${length}) { ${field} } }` });
      expect([...JSON.parse(bytes.toString()).data.note_by_pk[field]]).toHaveLength(length);
    }
  });

  it.each([
    "{ note(order_by: {id: asc}) { id text words } }",
    "{ note_by_pk(id: 7) { text } }",
    "{ a: note(where: {id: {_lt: 3000}}) { text } __typename b: size { id value } none: note_by_pk(id: 7) { id } }",
    "{ size_aggregate { aggregate { count } nodes { value } } __typename }",
    "{ note { none } }",
    "{ note(where: {text: {_eq: 1}}) { id } }",
  ])("Bytes and text of a query are equal: %s", async (text) => {
    await expectSame(server, reference, { query: text });
  });

  it.each([1, 2100, 66_000])("All transports send the text of a row of %i characters", async (id) => {
    const text = `{"data":${await reference.text("admin", `{ ${selection(id)} }`)}}`;
    const cached = { query: `query @cached { ${selection(id)} }` };
    const rest = await fetch(`${server.url}/api/rest/note/${id}`);
    const received = {
      limited: (await ask(server, { query: `{ ${selection(id)} }` }, { "x-engine-role": "limited" })).toString(),
      rest: await rest.text(),
      missed: (await ask(server, cached)).toString(),
      hit: (await ask(server, cached)).toString(),
    };
    expect(received).toEqual({ limited: text, rest: text, missed: text, hit: text });
    const query = `subscription { ${selection(id)} }`;
    for (const role of ["admin", "limited"]) {
      const headers = { "x-engine-role": role };
      const events = await openEvents(`${server.url}/v1/graphql`, { query }, headers);
      expect(await events.take()).toEqual({ event: "next", data: JSON.parse(text) });
      events.close();
      const client = await WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" });
      client.send({ type: "connection_init", payload: { headers } });
      client.send({ type: "subscribe", id: "1", payload: { query } });
      let message = "";
      while (!message.includes('"id":"1"')) message = await client.text();
      expect(message).toBe(`{"type":"next","id":"1","payload":${text}}`);
      client.close();
    }
  });

  it("A live query sends a long row again after a change, and not before", async () => {
    const query = "subscription { size(order_by: {id: asc}) { id value } }";
    const events = await openEvents(`${server.url}/v1/graphql`, { query });
    expect((await events.take())?.data.data.size).toHaveLength(3);
    const rows = [1, 2, 3].map((id) => ({ id, value: (id === 2 ? "é" : "ß").repeat(3000) }));
    await new Promise((resolve) => setTimeout(resolve, 200));
    await change("update size set value = repeat('é', 3000) where id = 2");
    expect(await events.take()).toEqual({ event: "next", data: { data: { size: rows } } });
    events.close();
    await change("update size set value = repeat('ß', 3000)");
  });

  it("Many requests at once, short and long, receive their own rows", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const id = lengths[i % (lengths.length - 2)] ?? 0;
        const bytes = await ask(server, { query: `{ n${i}: note_by_pk(id: ${id}) { id text } }` });
        return JSON.parse(bytes.toString()).data[`n${i}`].text === "x".repeat(id);
      }),
    );
    expect(answers).toEqual(answers.map(() => true));
  });

  it("Compressed bytes and text are equal", async () => {
    for (const id of [2100, 66_000, 1_100_000]) {
      const operation = { query: `{ note_by_pk(id: ${id}) { text words } }` };
      const response = await server.post("/v1/graphql", operation, { "accept-encoding": "gzip" });
      expect(response.headers.get("content-encoding")).toBe("gzip");
      expect(response.text).toBe((await ask(server, operation)).toString());
    }
  });
});

describe("Encodings of databases", () => {
  const valid = { data: { word_by_pk: { text: "é".repeat(3000) } } };
  const invalid = 'invalid byte sequence for encoding "UTF8": 0xe9 0xe9 0xe9';

  it.each([
    ["LATIN1", "chr(233)", valid],
    // Texts without an encoding are bytes, which PostgreSQL validates before it sends them.
    ["SQL_ASCII", "chr(195) || chr(169)", valid],
    ["SQL_ASCII", "chr(233)", { errors: [{ message: invalid, extensions: { code: "data-exception", path: "$" } }] }],
  ])("A database in %s responds to %s in UTF-8", async (encoding, value, expected) => {
    const [{ url, name, drop }, metadata] = [await createDatabase("encoding"), await createDatabase()];
    const source = new URL(url);
    source.pathname = `/${name}_other`;
    const locale = "lc_collate 'C' lc_ctype 'C' template template0";
    await query(postgresUrl(), `create database "${name}_other" encoding '${encoding}' ${locale}`);
    await query(source.href, "create table word (id integer primary key, text text)");
    await query(source.href, `insert into word select 1, repeat(${value}, 3000)`);
    const other = await startTestServer({ on: { databaseUrl: source.href, metadataUrl: metadata.url } });
    const text = await readingText(source.href, "word");
    try {
      await other.metadata("pg_track_table", { table: "word" });
      const bytes = await expectSame(other, text, { query: "{ word_by_pk(id: 1) { text } }" });
      expect(JSON.parse(bytes.toString())).toEqual(expected);
    } finally {
      await text.close();
      await other.stop();
      await query(postgresUrl(), `drop database "${name}_other" with (force)`);
      await drop();
      await metadata.drop();
    }
  });
});
