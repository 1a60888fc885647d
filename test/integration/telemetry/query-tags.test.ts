/** Comments that identify the origin of a statement, as the database server receives them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type TestDatabase } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { type StatementLog, startStatementLog } from "../../support/statement-log.ts";
import { WebsocketClient } from "../../support/websocket.ts";

const hash = "[0-9a-f]{40}";
const setup = `
  create table author (id int primary key, name text not null);
  create table book (id serial primary key, title text not null, author_id int references author);
  insert into author values (1, 'a')`;

let database: TestDatabase;
let log: StatementLog;
let server: TestServer;

async function start(sealed: boolean): Promise<TestServer> {
  const started = await startTestServer({ sealed, environment: { ENGINE_GRAPHQL_DATABASE_URL: log.url } });
  await started.post("/v2/query", { type: "run_sql", args: { sql: setup } });
  for (const table of ["author", "book"]) await started.metadata("pg_track_table", { table });
  return started;
}

beforeAll(async () => {
  database = await createDatabase();
  log = await startStatementLog(database.url);
  server = await start(false);
}, 60_000);

afterAll(async () => {
  await server?.close();
  await log?.close();
  await database?.drop();
});

/** Returns the statements on the tables that the work causes. */
async function statementsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = log.statements.length;
  await work();
  return log.statements.slice(before).filter((text) => /"?(book|author)"?/.test(text));
}

async function answered(query: string, headers: Record<string, string> = {}, on = server): Promise<void> {
  const answer = await on.graphql(query, headers);
  expect(answer).not.toHaveProperty("errors");
}

describe("Sources without query tags", () => {
  it("A source without query tags runs statements without comments", async () => {
    const statements = await statementsOf(() => answered("query Plain { book { id } }"));
    expect(statements).toHaveLength(1);
    expect(statements[0]).not.toContain("/*");
  });
});

describe("Query tags", () => {
  it("Query tags end the statements of queries and are the same for every request", async () => {
    await server.metadata("set_query_tags", { source_name: "default" });
    const statements = await statementsOf(async () => {
      await answered("query Tagged { book { id } more: author { id } }", { "x-request-id": "first" });
      await answered("query Tagged { book { id } more: author { id } }", { "x-request-id": "second" });
    });
    expect(new Set(statements).size).toBe(1);
    expect(statements[0]).toMatch(
      new RegExp(` /\\* field_name=book\\.more,operation_name=Tagged,parameterized_query_hash=${hash} \\*/$`),
    );
  });

  it("Query tags contain the hash of the metrics, which distinguishes operations", async () => {
    const hashes: (string | undefined)[] = [];
    for (const list of ["book", "book(limit: 1)", "book(limit: 2)"]) {
      const statements = await statementsOf(() => answered(`query A { ${list} { id } }`));
      hashes.push(statements.at(-1)?.match(/hash=(\w+)/)?.[1]);
    }
    expect(hashes[0]).toMatch(new RegExp(`^${hash}$`));
    expect(hashes[1]).toBe(hashes[2]);
    expect(hashes[0]).not.toBe(hashes[1]);
  });

  it("Query tags name each field of a mutation", async () => {
    const mutation = `mutation Two {
      one: insert_book_one(object: {title: "x"}) { id }
      insert_author_one(object: {id: 2, name: "y"}) { id } }`;
    const statements = await statementsOf(() => answered(mutation));
    expect(statements.map((text) => /field_name=(\w+),operation_name=Two/.exec(text)?.[1])).toEqual([
      "one",
      "insert_author_one",
    ]);
  });

  it("Query tags name the type and table of a data operation", async () => {
    const tagged = await statementsOf(async () => {
      const select = { table: "book", columns: ["id"] };
      await server.post("/v1/query", { type: "select", args: select });
      await server.post("/v1/query", { type: "count", args: { table: "book" } });
      const objects = [{ title: "x" }];
      await server.post("/v1/query", { type: "insert", args: { table: "book", objects } });
      await server.post("/v1/query", {
        type: "update",
        args: { table: "book", where: { id: -1 }, $set: { title: "y" } },
      });
      await server.post("/v1/query", { type: "delete", args: { table: "book", where: { id: -1 } } });
    });
    expect(tagged.map((text) => / \/\* field_name=book,operation_name=(\w+) \*\/$/.exec(text)?.[1])).toEqual([
      "select",
      "count",
      "insert",
      "update",
      "delete",
    ]);
  });

  it("Query tags are in explained statements but not in the shown SQL", async () => {
    let shown = "";
    const [explained = ""] = await statementsOf(async () => {
      const query = { query: "query Explained { book { id } }" };
      shown = (await server.post("/v1/graphql/explain", { query })).text;
    });
    expect(explained).toMatch(
      new RegExp(
        `^explain .* /\\* field_name=book,operation_name=Explained,parameterized_query_hash=${hash} \\*/$`,
        "s",
      ),
    );
    expect(shown).not.toContain("field_name");
  });

  it("Query tags contain the request id and the format as configured", async () => {
    await server.metadata("set_query_tags", { format: "sqlcommenter", omit_request_id: false });
    const request = { "x-request-id": "r-1" };
    const [statement = ""] = await statementsOf(() => answered("query Id { book { id } }", request));
    const pairs = `field_name='book',operation_name='Id',parameterized_query_hash='${hash}',request_id='r-1'`;
    expect(statement).toMatch(new RegExp(` /\\* ${pairs} \\*/$`));
    await server.metadata("set_query_tags", { format: "standard_prepended", omit_request_id: false });
    const [prepended = ""] = await statementsOf(() => answered("{ book { id } }", request));
    expect(prepended).toMatch(
      new RegExp(`^/\\* request_id=r-1,field_name=book,parameterized_query_hash=${hash} \\*/ `),
    );
  });

  it.each([
    ["the end of a comment", "*/ drop table book; --"],
    ["the start of a comment", "/* /* */"],
    ["a quote", "'; drop table book; --"],
    ["encoded text and a parameter", "%2A%2F; $1 ? \\"],
    ["other letters", "é€😀"],
    ["a long text", "x".repeat(5000)],
  ])("A request id cannot leave the comment: %s", async (_, id) => {
    for (const format of ["standard", "sqlcommenter", "standard_prepended"]) {
      await server.metadata("set_query_tags", { format, omit_request_id: false });
      const sent = { "x-request-id": Buffer.from(id).toString("latin1") };
      const [statement = ""] = await statementsOf(() => answered("query Attack { book { id } }", sent));
      expect(statement.match(/\/\*|\*\//g)).toEqual(["/*", "*/"]);
      expect(/\/\*(.*)\*\//.exec(statement)?.[1]).toMatch(/^ [\w=,.:%'-]+ $/);
      expect(statement.length).toBeLessThan(2000);
      const [written = ""] = await statementsOf(() =>
        answered('mutation Attack { insert_book_one(object: {title: "x"}) { id } }', sent),
      );
      expect(written.match(/\/\*|\*\//g)).toEqual(["/*", "*/"]);
    }
  });

  it("Query tags are in the shared statements of subscriptions", async () => {
    await server.metadata("set_query_tags", { omit_request_id: false });
    const socket = await WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" });
    try {
      const statements = await statementsOf(async () => {
        socket.send({ type: "connection_init", payload: {} });
        await socket.next();
        socket.send({ type: "subscribe", id: "1", payload: { query: "subscription Watch { author { id name } }" } });
        for (let type = ""; type !== "next"; ) ({ type } = (await socket.next()) as { readonly type: string });
      });
      expect(statements[0]).toMatch(new RegExp(` /\\* field_name=author,parameterized_query_hash=${hash} \\*/$`));
    } finally {
      socket.ws.close();
    }
  });

  it("Query tags end when the metadata disables them", async () => {
    await server.metadata("set_query_tags", { disabled: true });
    const statements = await statementsOf(() => answered("query Tagged { book { id } more: author { id } }"));
    expect(statements.join("")).not.toContain("/*");
  });
});

describe("Query tags of artifacts", () => {
  it("An artifact uses the query tags of its metadata", async () => {
    await server.metadata("set_query_tags", { format: "standard" });
    const metadata = await server.metadata("export_metadata", {});
    const sealed = await startTestServer({ sealed: true, environment: { ENGINE_GRAPHQL_DATABASE_URL: log.url } });
    try {
      await sealed.post("/v1/metadata", { type: "replace_metadata", args: metadata });
      const statements = await statementsOf(() => answered("query Sealed { book { id } }", {}, sealed));
      expect(statements.at(-1)).toMatch(
        / \/\* field_name=book,operation_name=Sealed,parameterized_query_hash=\w+ \*\/$/,
      );
    } finally {
      await sealed.close();
    }
  }, 120_000);
});
