/**
 * Attacks on relationships between sources: values that become keys, responses of a remote server, roles that probe for
 * hidden data, and requests that multiply rows.
 */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { type RemoteGraphql, startRemoteGraphql } from "../../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { type StatementLog, startStatementLog } from "../../support/statement-log.ts";

/** Terminators of strings, lists, casts and statements. */
const hostile = [
  "'); drop table hidden; --",
  '"},{"',
  "\\",
  '\\"',
  "{a,b}",
  "NULL",
  "$1",
  "line\nbreak",
  "\u001e0\u001f\u001e",
  "\u{1f600}\u202e",
  "'::text || (select string_agg(word, '') from hidden) || '",
];

/** A value that the role must not obtain. */
const secret = "s3cr3t";

const sdl = `
  scalar Any
  type Thing { id: Any name: String inner: Thing things: [Thing] }
  type Query { things: [Thing] lookup(id: String): Thing }
`;

let databases: readonly TestDatabase[] = [];
let left: StatementLog;
let right: StatementLog;
let remote: RemoteGraphql;
let server: TestServer;
/** The next response of the remote server. */
let remoteAnswer = "";

const guest = { "x-engine-role": "guest" };

beforeAll(async () => {
  databases = [await createDatabase("attacked_left"), await createDatabase("attacked_right")];
  const [leftUrl = "", rightUrl = ""] = databases.map(({ url }) => url);
  await query(
    leftUrl,
    `create table note (id int primary key, word text, code text, one int not null default 1);
     create table many (id int primary key, one int not null);
     insert into many select n, 1 from generate_series(1, 200) n;`,
  );
  await query(
    rightUrl,
    `create table hidden (word text); insert into hidden values ('${secret}');
     create table entry (id int primary key, word text, owner text);
     create table counted (id int primary key, one int not null);
     insert into counted select n, 1 from generate_series(1, 200) n;`,
  );
  for (const [i, text] of hostile.entries()) {
    await query(leftUrl, "insert into note (id, word, code) values ($1, $2, $3)", [i, text, secret]);
    await query(rightUrl, "insert into entry values ($1, $2, $3)", [i, text, i % 2 === 0 ? "guest" : "other"]);
  }
  [left, right] = await Promise.all([startStatementLog(leftUrl), startStatementLog(rightUrl)]);
  remote = await startRemoteGraphql(sdl, 0, { answer: () => remoteAnswer });
  server = await startTestServer({
    environment: {
      ENGINE_GRAPHQL_DATABASE_URL: left.url,
      RIGHT: right.url,
      REMOTE: `http://127.0.0.1:${remote.port}/graphql`,
      ENGINE_GRAPHQL_ENABLED_LOG_TYPES: "startup,http-log,webhook-log,websocket-log,query-log",
    },
  });
  const connection_info = { database_url: { from_env: "RIGHT" } };
  await server.metadata("pg_add_source", { name: "right", configuration: { connection_info } });
  for (const table of ["note", "many"]) await server.metadata("pg_track_table", { table });
  for (const table of ["entry", "counted"]) await server.metadata("pg_track_table", { source: "right", table });
  await server.metadata("add_remote_schema", { name: "remote", definition: { url_from_env: "REMOTE" } });
  const ofTable = (source: string, table: string, name: string, definition: object) =>
    server.metadata("pg_create_remote_relationship", { source, table, name, definition });
  const toTable = (type: string, source: string, table: string, field_mapping: object) => ({
    to_source: { source, table, relationship_type: type, field_mapping },
  });
  await ofTable("default", "note", "entries", toTable("array", "right", "entry", { word: "word" }));
  await ofTable("default", "note", "coded", toTable("object", "right", "entry", { code: "id" }));
  await ofTable("default", "note", "counted", toTable("array", "right", "counted", { one: "one" }));
  await ofTable("default", "many", "counted", toTable("array", "right", "counted", { one: "one" }));
  await ofTable("right", "counted", "many", toTable("array", "default", "many", { one: "one" }));
  for (const [name, definition] of [
    ["entry", toTable("array", "right", "entry", { id: "word" })],
    ["numbered", toTable("object", "right", "entry", { id: "id" })],
    ["both", toTable("array", "right", "entry", { id: "id", name: "word" })],
  ] as const) {
    const args = { remote_schema: "remote", type_name: "Thing", name, definition };
    await server.metadata("create_remote_schema_remote_relationship", args);
  }
  const select = (source: string, table: string, permission: object) =>
    server.metadata("pg_create_select_permission", { source, table, role: "guest", permission });
  await select("default", "note", { columns: ["id"], filter: {} });
  await select("default", "many", { columns: ["id"], filter: {} });
  await select("right", "entry", { columns: ["id"], filter: { owner: { _eq: "guest" } } });
  await select("right", "counted", { columns: ["id"], filter: {}, allow_aggregations: true });
}, 60_000);

afterAll(async () => {
  await server?.close();
  await Promise.all([left?.close(), right?.close(), remote?.close()]);
  await Promise.all(databases.map((database) => database.drop()));
});

beforeEach(() => {
  for (const { statements } of [left, right]) statements.length = 0;
});

const things = (text: string) => {
  remoteAnswer = `{"data":{"things":${text}}}`;
};

/** Checks that the server still responds. */
async function expectAlive(): Promise<void> {
  const answer = await server.graphql("{ note(where: {id: {_eq: 0}}) { id entries { id } } }");
  expect(answer).toEqual({ data: { note: [{ id: 0, entries: [{ id: 0 }] }] } });
}

describe("Values in joins between sources", () => {
  it("Values of a database stay parameters in joins", async () => {
    const answer = await server.graphql("{ note(order_by: {id: asc}) { id entries { id word } } }");
    const note = hostile.map((word, id) => ({ id, entries: [{ id, word }] }));
    expect(answer).toEqual({ data: { note } });
    const statements = right.statements.join("\n");
    expect(statements).toContain("unnest");
    for (const text of hostile.filter(({ length }) => length > 6)) expect(statements).not.toContain(text);
  });
});

describe("Permissions in joins between sources", () => {
  it("A role sees the same rows through a join as in a direct query", async () => {
    const [joined, direct] = await Promise.all([
      server.graphql("{ note { entries { id } } }", guest),
      server.graphql("{ entry { id } }", guest),
    ]);
    const ids = (joined as { data: { note: { entries: unknown[] }[] } }).data.note.flatMap(({ entries }) => entries);
    expect({ data: { entry: ids } }).toEqual(direct);
    expect(ids).toHaveLength(Math.ceil(hostile.length / 2));
  });

  it.each([
    "{ note { entries { word } } }",
    '{ note { entries(where: {owner: {_eq: "other"}}) { id } } }',
    "{ note { entries(order_by: {word: asc}) { id } } }",
    "{ note { entries_aggregate { aggregate { count } } } }",
    "{ note { counted_aggregate { aggregate { max { one } } } } }",
    "{ note { word } }",
  ])("A role cannot reach a hidden field through a join by %s", async (text) => {
    expect(await server.graphql(text, guest)).toMatchObject({
      errors: [{ extensions: { code: "validation-failed" } }],
    });
  });

  it("A hidden join key appears in no error and no log", async () => {
    const from = server.log.length;
    const { text } = await server.post("/v1/graphql", { query: "{ note { id coded { id } } }" }, guest);
    expect(text).toContain(
      "a key of a remote relationship is not a valid value of the column type that it is compared with",
    );
    expect(text).not.toContain(secret);
    expect(server.log.slice(from).join("")).not.toContain(secret);
  });
});

/** Returns a thing as the engine selects it, with the keys of a relationship. */
function thing(field: string, id: string, type = '"Thing"'): string {
  const name = field === "both" ? ',"_join_Thing_name":"a"' : "";
  return `{"${field}":${type},"_join_Thing_id":${id}${name}}`;
}

describe("Results of remote servers in joins", () => {
  const askFor = (field: string) => server.post("/v1/graphql", { query: `{ things { ${field} { id } } }` });

  it("A join key is read from the hidden field that the engine selects", async () => {
    things(`[${thing("numbered", "3")}]`);
    expect((await askFor("numbered")).json).toEqual({ data: { things: [{ numbered: { id: 3 } }] } });
    const { query: sentQuery } = remote.requests.at(-1) ?? {};
    expect(sentQuery).toBe("query { things { numbered: __typename _join_Thing_id: id } }");
  });

  it.each([
    ["objects", '{"a":1,"b":"\\"}"}'],
    ["lists", "[1,[2,null]]"],
    ["lists without an end", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    ["numbers out of range", "1e400000"],
    ["numbers of many digits", "9".repeat(5000)],
    ["strings that end early", '"a\\u0000b"'],
    ["halves of surrogate pairs", '"\\ud800"'],
    ["true", "true"],
    ["statements", '"\'; drop table entry; --"'],
    ["array literals", '"{1,2}"'],
    ["the string null", '"null"'],
  ])("A join key of any form is used as a value or refused: %s", async (_, key) => {
    for (const field of ["entry", "numbered", "both"]) {
      things(`[${thing(field, key)}]`);
      const { json, text } = await askFor(field);
      if (json.errors) {
        expect(["data-exception", "remote-schema-error"]).toContain(json.errors[0].extensions.code);
        expect(text).not.toContain(key);
      } else expect(json.data.things).toEqual([{ [field]: field === "numbered" ? null : [] }]);
    }
    expect([...left.statements, ...right.statements].join("\n")).not.toContain("drop table");
    await expectAlive();
  });

  it.each([
    ["names of other types", thing("numbered", "3", '"Other"'), { numbered: null }],
    ["names that are not strings", thing("numbered", "3", "7"), { numbered: null }],
    ["names that are objects", thing("numbered", "3", '{"Thing":1}'), { numbered: null }],
    ["inherited names", thing("numbered", "3", '"__proto__"'), { numbered: null }],
    ["objects without keys", '{"numbered":"Thing"}', { numbered: null }],
    [
      "objects with duplicate keys",
      `${thing("numbered", "3").slice(0, -1)},"_join_Thing_id":5}`,
      { numbered: { id: 5 } },
    ],
    ["strings in place of objects", '"Thing"', "Thing"],
    ["lists in place of objects", `[[${thing("numbered", "3")}]]`, [[{ numbered: { id: 3 } }]]],
  ])("A remote result of another shape is handled: %s", async (_, item, expected) => {
    things(`[${item}]`);
    expect((await askFor("numbered")).json).toEqual({ data: { things: [expected] } });
  });

  it("A remote result may be nested to any depth", async () => {
    for (const depth of [1000, 200_000]) {
      things("[".repeat(depth) + "]".repeat(depth));
      const { json } = await askFor("numbered");
      if (json.errors) expect(json.errors).toMatchObject([{ extensions: { code: "remote-schema-error" } }]);
    }
    await expectAlive();
  });
});

describe("Joins that multiply rows", () => {
  const nested = (depth: number): string => (depth === 0 ? "{ id }" : `{ counted { many ${nested(depth - 1)} } }`);

  it("A join that multiplies rows fails with a clear error before memory is exhausted", async () => {
    const began = performance.now();
    const answer = await server.graphql(`{ many ${nested(4)} }`);
    expect(answer).toMatchObject({ errors: [{ extensions: { code: "validation-failed" } }] });
    expect(JSON.stringify(answer)).toContain("select fewer rows or fields");
    expect(performance.now() - began).toBeLessThan(15_000);
    await expectAlive();
  });

  it("A join that multiplies rows does not delay other requests", async () => {
    const large = server.graphql(`{ many ${nested(4)} }`);
    await delay(20);
    await expectAlive();
    await large;
  });

  it("Joins count as levels toward a role's depth limit", async () => {
    await server.metadata("set_api_limits", { disabled: false, depth_limit: { global: 4, per_role: {} } });
    try {
      const answer = await server.graphql(`{ many ${nested(2)} }`, guest);
      expect(answer).toMatchObject({ errors: [{ message: expect.stringContaining("depth") }] });
    } finally {
      await server.metadata("remove_api_limits", {});
    }
  });
});
