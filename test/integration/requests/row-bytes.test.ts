/** Rows that the server sends as the bytes that it received, compared with rows that it reads as text. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, postgresUrl, query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

/** Lengths around the limits of rows as bytes, of reads from a socket, and of responses that are sent in slices. */
const lengths = [0, 1, 1990, 2048, 2100, 16_000, 65_400, 65_536, 66_000, 300_000, 1_100_000];

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
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
});

afterAll(() => server.close());

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

/** Compares the response of an operation with its response in a batch, whose rows are read as text. */
async function expectSame(on: TestServer, operation: unknown): Promise<Buffer> {
  const [bytes, batch] = [await ask(on, operation), await ask(on, [operation])];
  expect(batch.subarray(1, -1).equals(bytes)).toBe(true);
  return bytes;
}

describe("Rows as bytes", () => {
  it.each(lengths)("A row of %i characters has the same bytes as its text", async (length) => {
    for (const field of ["text", "words"]) {
      const bytes = await expectSame(server, { query: `{ note_by_pk(id: ${length}) { ${field} } }` });
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
    await expectSame(server, { query: text });
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
  ])("A database in %s responds to %s in UTF-8", async (encoding, text, expected) => {
    const [{ url, name, drop }, metadata] = [await createDatabase("encoding"), await createDatabase()];
    const source = new URL(url);
    source.pathname = `/${name}_other`;
    const locale = "lc_collate 'C' lc_ctype 'C' template template0";
    await query(postgresUrl(), `create database "${name}_other" encoding '${encoding}' ${locale}`);
    await query(source.href, "create table word (id integer primary key, text text)");
    await query(source.href, `insert into word select 1, repeat(${text}, 3000)`);
    const other = await startTestServer({ on: { databaseUrl: source.href, metadataUrl: metadata.url } });
    try {
      await other.metadata("pg_track_table", { table: "word" });
      const bytes = await expectSame(other, { query: "{ word_by_pk(id: 1) { text } }" });
      expect(JSON.parse(bytes.toString())).toEqual(expected);
    } finally {
      await other.stop();
      await query(postgresUrl(), `drop database "${name}_other" with (force)`);
      await drop();
      await metadata.drop();
    }
  });
});
