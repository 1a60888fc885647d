/** Input-validation webhooks of write permissions: their payloads, and the effect of their responses. */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

interface Call {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

let server: TestServer;
let hook: Server;
const calls: Call[] = [];
/** The response of the webhook; `null` for none. */
let reply: { readonly status: number; readonly text: string } | null;

beforeAll(async () => {
  hook = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      calls.push({ url: request.url ?? "", headers: request.headers, body: JSON.parse(text) });
      if (reply !== null) response.writeHead(reply.status).end(reply.text);
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
  const { port } = hook.address() as AddressInfo;
  server = await startTestServer({
    environment: {
      HOOK: `http://127.0.0.1:${port}`,
      HOOK_KEY: "secret key",
      ENGINE_GRAPHQL_ENABLED_LOG_TYPES: "startup,validate-input-log",
      // Cookies are forwarded only for origins that are listed here.
      ENGINE_GRAPHQL_CORS_DOMAIN: "http://page.test",
    },
  });
  await query(
    server.databaseUrl,
    `create table author (id integer primary key, name text not null, big numeric);
     create table article (id serial primary key, author_id integer references author, title text, data jsonb);`,
  );
  const webhook = (path: string, more: object = {}) => ({
    type: "http",
    definition: { url: `{{HOOK}}/${path}`, ...more },
  });
  const permission = (table: string, kind: string, given: object) => ({
    type: `pg_create_${kind}_permission`,
    args: { table, role: "user", permission: given },
  });
  await server.metadata("bulk", [
    { type: "pg_track_table", args: { table: "author" } },
    { type: "pg_track_table", args: { table: "article" } },
    {
      type: "pg_create_array_relationship",
      args: {
        table: "author",
        name: "articles",
        using: { foreign_key_constraint_on: { table: "article", column: "author_id" } },
      },
    },
    {
      type: "pg_create_object_relationship",
      args: { table: "article", name: "author", using: { foreign_key_constraint_on: "author_id" } },
    },
    permission("author", "select", { columns: "*", filter: {} }),
    permission("article", "select", { columns: "*", filter: {} }),
    permission("author", "insert", {
      check: {},
      validate_input: webhook("author", {
        headers: [
          { name: "X-Key", value_from_env: "HOOK_KEY" },
          { name: "X-Fixed", value: "a {{HOOK_KEY}}" },
          { name: "User-Agent", value: "cannot be" },
        ],
        forward_client_headers: true,
      }),
    }),
    permission("article", "insert", { check: {}, validate_input: webhook("article") }),
    permission("author", "update", { columns: "*", filter: {}, validate_input: webhook("update", { timeout: 1 }) }),
    permission("author", "delete", { filter: {}, validate_input: webhook("delete") }),
  ]);
});

afterAll(async () => {
  hook.closeAllConnections();
  hook.close();
  await server.close();
});

beforeEach(async () => {
  calls.splice(0);
  reply = { status: 200, text: "" };
  await query(server.databaseUrl, "truncate author, article; insert into author values (1, 'one')");
});

const user = { "x-engine-role": "user", "x-engine-user-id": "7" };
const rows = (table: string) => query(server.databaseUrl, `select * from ${table} order by id`);

describe("Input validation requests", () => {
  it("The webhook receives inserted rows, including nested ones, once per table", async () => {
    const answer = await server.graphql(
      `mutation ($row: author_insert_input!, $name: String!) {
        insert_author(objects: [
          { id: 2, name: $name, big: 12345678901234567890.5, articles: { data: [{ title: "a", data: { k: [1] } }, { title: null }] } },
          { id: 3, name: "three" },
          $row
        ]) { affected_rows }
      }`,
      user,
      { name: "two", row: { id: 4, name: "four", articles: { data: { title: "c" }, on_conflict: null } } },
    );
    expect(answer).toMatchObject({
      errors: [{ message: "expected an object for type 'article_on_conflict', but found null" }],
    });
    const variables = { name: "two", row: { id: 4, name: "four", articles: { data: { title: "c" } } } };
    expect(
      await server.graphql(
        `mutation ($row: author_insert_input!, $name: String!) {
          insert_author(objects: [
            { id: 2, name: $name, articles: { data: [{ title: "a", data: { k: [1] } }, { title: null }] } },
            { id: 3, name: "three" },
            $row
          ]) { affected_rows }
        }`,
        user,
        variables,
      ),
    ).toEqual({ data: { insert_author: { affected_rows: 6 } } });
    expect(calls.map(({ url, body }) => ({ url, body }))).toEqual([
      {
        url: "/author",
        body: {
          version: 1,
          role: "user",
          session_variables: user,
          data: {
            input: [
              { id: 2, name: "two", articles: { data: [{ title: "a", data: { k: [1] } }, { title: null }] } },
              { id: 3, name: "three" },
              { id: 4, name: "four", articles: { data: [{ title: "c" }] } },
            ],
          },
        },
      },
      {
        url: "/article",
        body: {
          version: 1,
          role: "user",
          session_variables: user,
          data: { input: [{ title: "a", data: { k: [1] } }, { title: null }, { title: "c" }] },
        },
      },
    ]);
  });

  it("The update permission's webhook receives the columns that an upsert sets", async () => {
    const upsert = (columns: string) => `mutation ($name: String!) {
      insert_author(objects: [{ id: 1, name: $name, big: 1 }, { id: 2, name: "two" }],
        on_conflict: { constraint: author_pkey, update_columns: [${columns}], where: { id: { _gt: 0 } } }) { affected_rows }
    }`;
    const takeCalls = () => calls.splice(0).map(({ url, body }) => [url, body.data.input]);
    const given = [
      { id: 1, name: "n", big: 1 },
      { id: 2, name: "two" },
    ];
    const where = { id: { _gt: 0 } };
    expect(await server.graphql(upsert("name"), user, { name: "n" })).toHaveProperty("data");
    expect(takeCalls()).toEqual([
      ["/author", given],
      [
        "/update",
        [
          { where, _set: { name: "n" } },
          { where, _set: { name: "two" } },
        ],
      ],
    ]);
    await server.graphql(upsert(""), user, { name: "n" });
    expect(takeCalls()).toEqual([["/author", given]]);
    const objects = [{ id: 1, name: "by JSON" }];
    const on_conflict = { action: "update", constraint: "author_pkey" };
    await server.post("/v1/query", { type: "insert", args: { table: "author", objects, on_conflict } }, user);
    expect(takeCalls()).toEqual([
      ["/author", objects],
      ["/update", [{ where: {}, $set: objects[0] }]],
    ]);
    const nested = `mutation { insert_article_one(object: { title: "t", author: {
      data: { id: 1, name: "nested" }, on_conflict: { constraint: author_pkey, update_columns: [name] } } }) { id } }`;
    await server.graphql(nested, user);
    expect(takeCalls()).toContainEqual(["/update", [{ where: {}, _set: { name: "nested" } }]]);
  });

  it("The webhook receives the object of an object relationship", async () => {
    await server.graphql(
      `mutation { insert_article_one(object: { title: "t", author: { data: { id: 9, name: "nine" } } }) { id } }`,
      user,
    );
    expect(calls.map(({ url, body }) => [url, body.data.input])).toEqual([
      ["/article", [{ title: "t", author: { data: { id: 9, name: "nine" } } }]],
      ["/author", [{ id: 9, name: "nine" }]],
    ]);
  });

  it("The webhooks receive existing rows that an insert connects, and rows that it may insert instead", async () => {
    await server.metadata("pg_create_update_permission", {
      table: "article",
      role: "user",
      permission: { columns: ["author_id"], filter: {} },
    });
    const where = { title: { _eq: "t" } };
    const text = `mutation ($where: article_bool_exp!) { insert_author_one(object: { id: 9, name: "nine", _related: {
      articles: { connect: [{ where: $where }], connect_or_create: [{ where: $where, data: { title: "t" } }] } } }) {
      articles { title } } }`;
    expect(await server.graphql(text, user, { where })).toEqual({
      data: { insert_author_one: { articles: [{ title: "t" }] } },
    });
    const articles = { connect: [{ where }], connect_or_create: [{ where, data: { title: "t" } }] };
    expect(calls.map(({ url, body }) => [url, body.data.input])).toEqual([
      ["/author", [{ id: 9, name: "nine", _related: { articles } }]],
      ["/article", [{ title: "t" }]],
    ]);
    await server.metadata("pg_drop_update_permission", { table: "article", role: "user" });
  });

  it("The webhooks of each level receive the writes of an update with related rows", async () => {
    const text = (
      value: string,
    ) => `mutation { update_author(where: { id: { _eq: 1 } }, _set: { name: "${value}" }, _related: {
      articles: { insert: { data: [{ title: "t" }] } } }) { affected_rows } }`;
    expect(await server.graphql(text("new"), user)).toEqual({ data: { update_author: { affected_rows: 2 } } });
    const _related = { articles: { insert: { data: [{ title: "t" }] } } };
    expect(calls.map(({ url, body }) => [url, body.data.input])).toEqual([
      ["/update", [{ where: { id: { _eq: 1 } }, _set: { name: "new" }, _related }]],
      ["/article", [{ title: "t" }]],
    ]);
    reply = { status: 400, text: JSON.stringify({ message: "refused" }) };
    expect(await server.graphql(text("refused"), user)).toMatchObject({ errors: [{ message: "refused" }] });
    expect(await rows("author")).toMatchObject([{ id: 1, name: "new" }]);
    expect(await rows("article")).toMatchObject([{ title: "t", author_id: 1 }]);
  });

  it("The webhook receives each row of a variable with exact numbers", async () => {
    const body = `{"query": "mutation ($rows: [author_insert_input!]!) { insert_author(objects: $rows) { affected_rows } }",
      "variables": {"rows": [{"id": 5, "name": "a", "big": 12345678901234567890.5}, {"id": 6, "name": "b", "big": 1}]}}`;
    const { json } = await server.post("/v1/graphql", body, user);
    expect(json).toEqual({ data: { insert_author: { affected_rows: 2 } } });
    expect(JSON.stringify(calls[0]?.body.data.input)).toContain('"name":"b"');
    expect(await rows("author")).toMatchObject([{ id: 1 }, { id: 5, big: "12345678901234567890.5" }, { id: 6 }]);
  });

  it("The webhook receives the arguments of updates and deletes", async () => {
    const { json } = await server.post(
      "/v1/graphql",
      {
        query: `mutation ($name: String!) {
          update_author(where: { id: { _eq: 1 } }, _set: { name: $name }) { affected_rows }
          update_author_by_pk(pk_columns: { id: 1 }, _inc: { big: 2 }) { id }
          update_author_many(updates: [
            { where: { id: { _in: [1, 2] } }, _set: { name: "x" } }, { where: {} }, { where: {}, _set: { big: null } }
          ]) { affected_rows }
          delete_author(where: { name: { _is_null: true } }) { affected_rows }
          delete_author_by_pk(id: 1) { id }
        }`,
        variables: { name: "n" },
      },
      user,
    );
    expect(json).toHaveProperty("data.delete_author_by_pk", { id: 1 });
    expect(calls.map(({ url, body }) => [url, body.data.input])).toEqual([
      ["/update", [{ where: { id: { _eq: 1 } }, _set: { name: "n" } }]],
      ["/update", [{ pk_columns: { id: 1 }, _inc: { big: 2 } }]],
      [
        "/update",
        [
          { where: { id: { _in: [1, 2] } }, _set: { name: "x" } },
          { where: {}, _set: { big: null } },
        ],
      ],
      ["/delete", [{ where: { name: { _is_null: true } } }]],
      ["/delete", [{ pk_columns: { id: 1 } }]],
    ]);
  });

  it("The webhook of nested rows is not called if a row has none", async () => {
    for (const nested of ["null", "{ data: [] }"]) {
      const insert = `mutation { insert_author_one(object: { id: 5, name: "five", articles: ${nested} }) { id } }`;
      expect(await server.graphql(insert, user)).toEqual({ data: { insert_author_one: { id: 5 } } });
      await query(server.databaseUrl, "delete from author where id = 5");
    }
    expect(calls.map(({ url }) => url)).toEqual(["/author", "/author"]);
  });

  it("The webhook is not called if no rows are written or admin writes", async () => {
    await server.graphql("mutation { insert_author(objects: []) { affected_rows } }", user);
    await server.graphql("mutation { update_author(where: {}) { affected_rows } }", user);
    await server.graphql('mutation { insert_author(objects: { id: 2, name: "a" }) { affected_rows } }');
    expect(calls).toEqual([]);
    expect(await rows("author")).toHaveLength(2);
  });

  it("The webhook receives configured headers, and client headers if the permission forwards them", async () => {
    const client = { ...user, "x-engine-admin-secret": "s", cookie: "a=b", "x-mine": "1", origin: "http://page.test" };
    await server.graphql('mutation { insert_author(objects: { id: 2, name: "a" }) { affected_rows } }', client);
    await server.graphql('mutation { insert_article(objects: { title: "a" }) { affected_rows } }', client);
    const [author, article] = calls;
    expect(author?.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": expect.stringContaining("engine-graphql-engine/v"),
      "x-key": "secret key",
      "x-fixed": "a secret key",
      cookie: "a=b",
      "x-mine": "1",
      "x-forwarded-origin": "http://page.test",
      "x-forwarded-host": expect.stringContaining("127.0.0.1"),
    });
    expect(Object.keys(author?.headers ?? {}).filter((name) => name.startsWith("x-engine-"))).toEqual([]);
    expect(article?.headers).not.toHaveProperty("cookie");
    expect(article?.headers).not.toHaveProperty("x-mine");
  });

  it("The webhook receives the headers of connection_init", async () => {
    const socket = await WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" });
    socket.send({ type: "connection_init", payload: { headers: { ...user, "x-mine": "2" } } });
    const text = 'mutation { insert_author(objects: { id: 2, name: "a" }) { affected_rows } }';
    socket.send({ id: "1", type: "subscribe", payload: { query: text } });
    const [, , , answer] = await socket.take(4);
    expect(answer).toMatchObject({ type: "next", payload: { data: { insert_author: { affected_rows: 1 } } } });
    expect(calls[0]?.headers).toMatchObject({ "x-mine": "2" });
    socket.close();
  });

  it("Data operations call the webhook", async () => {
    const run = async (type: string, args: object) =>
      (await server.post("/v1/query", { type, args: { table: "author", ...args } }, user)).json;
    expect(await run("insert", { objects: [{ id: 2, name: "b" }] })).toEqual({ affected_rows: 1 });
    await run("update", { where: { id: 2 }, $set: { name: "c" } });
    await run("delete", { where: { id: 2 } });
    expect(calls.map(({ url, body }) => [url, body.data.input])).toEqual([
      ["/author", [{ id: 2, name: "b" }]],
      ["/update", [{ where: { id: 2 }, $set: { name: "c" }, $inc: {}, $mul: {}, $default: [] }]],
      ["/delete", [{ where: { id: 2 } }]],
    ]);
    reply = { status: 400, text: '{"message": "no"}' };
    expect(await run("delete", { where: {} })).toMatchObject({ code: "validation-failed", error: "no" });
    expect(await rows("author")).toHaveLength(1);
  });
});

describe("Input validation responses", () => {
  const insert = (headers: Record<string, string> = user) =>
    server.post(
      "/v1alpha1/graphql",
      {
        query: `mutation {
          insert_author(objects: { id: 2, name: "a" }) { affected_rows }
          update_author(where: {}, _set: { name: "b" }) { affected_rows }
        }`,
      },
      headers,
    );

  const cases = [
    [{ status: 400, text: '{"message": "too \\"young\\"", "other": 1}' }, 400, "validation-failed", 'too "young"'],
    [{ status: 400, text: "no" }, 500, "unexpected", "received invalid response from input validation webhook"],
    [{ status: 400, text: "{}" }, 500, "unexpected", "received invalid response from input validation webhook"],
    [{ status: 401, text: "{}" }, 500, "unexpected", "internal error when validating input data"],
    [{ status: 503, text: "" }, 500, "unexpected", "internal error when validating input data"],
  ] as const;

  it.each(cases)("The response %j refuses the request before any write", async (given, status, code, message) => {
    reply = given;
    const answer = await insert();
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual({ errors: [{ message, extensions: { path: "$", code } }] });
    expect(await rows("author")).toMatchObject([{ id: 1, name: "one" }]);
    expect(calls).toHaveLength(1);
  });

  it.each([201, 204])("The status %i accepts the request", async (status) => {
    reply = { status, text: "" };
    expect((await insert()).json).toHaveProperty("data.insert_author.affected_rows", 1);
    expect(calls).toHaveLength(2);
  });

  it("A missing or late response refuses the request", async () => {
    reply = null;
    const started = performance.now();
    const answer = await server.graphql(
      'mutation { update_author(where: {}, _set: { name: "b" }) { affected_rows } }',
      user,
    );
    expect(performance.now() - started).toBeLessThan(5000);
    expect(answer).toMatchObject({ errors: [{ message: "http exception when validating input data" }] });
    expect(await rows("author")).toMatchObject([{ id: 1, name: "one" }]);
  });

  it("The log of input validation contains no values of the environment", async () => {
    await insert();
    await expect
      .poll(() => server.log.filter((line) => line.includes('"validate-input-log"')).length)
      .toBeGreaterThan(0);
    const line = server.log.find((each) => each.includes('"validate-input-log"') && each.includes("/author")) ?? "";
    expect(JSON.parse(line)).toMatchObject({
      level: "info",
      detail: { type: "http", details: { url: "{{HOOK}}/author", response_status: 200 } },
    });
    expect(server.log.join("\n")).not.toContain("secret key");
  });
});

it("A permission whose webhook lacks an environment variable is inconsistent", async () => {
  const definition = { url: "{{NOWHERE}}/x" };
  const permission = { filter: {}, validate_input: { type: "http", definition } };
  const { json } = await server.post("/v1/metadata", {
    type: "pg_create_delete_permission",
    args: { table: "article", role: "user", permission },
  });
  expect(JSON.stringify(json)).toContain("Value for environment variables not found: NOWHERE");
});
