/** Ids and cursors of the Relay API reveal nothing that a role may not read, and cannot be forged. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const plainId = (...key: unknown[]) => base64(JSON.stringify([1, "public", "ticket", ...key]));

/** Row values that imitate ids or edges. */
const likeIds = { id: plainId("secret-2"), edges: [{ cursor: 'x\\"' }] };
const likeJson = ['"', "}", "]", '","id":"'];

const table = (name: string) => ({ schema: "public", name });
const select = (role: string, permission: object) => ({ role, permission: { filter: {}, ...permission } });
const tickets = { foreign_key_constraint_on: { table: table("ticket"), column: "show_id" } };

const metadata = {
  version: 3,
  sources: [
    {
      name: "default",
      kind: "postgres",
      configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
      tables: [
        {
          table: table("show"),
          array_relationships: [{ name: "tickets", using: tickets }],
          select_permissions: [select("guest", { columns: ["name"] })],
        },
        {
          table: table("ticket"),
          select_permissions: [
            select("guest", { columns: ["title", "extra"], allow_aggregations: true }),
            select("clerk", { columns: "*" }),
            select("holder", { columns: ["code", "title", "seat"], filter: { seat: { _eq: "X-Engine-Seat" } } }),
            select("usher", { columns: ["title"] }),
          ],
          update_permissions: [{ role: "guest", permission: { columns: ["extra"], filter: {}, check: null } }],
        },
        { table: table("receipt"), select_permissions: [select("guest", { columns: ["title"] })] },
      ],
      functions: [{ function: table("tickets_like") }],
    },
  ],
  inherited_roles: [{ role_name: "both", role_set: ["holder", "usher"] }],
};

let server: TestServer;
let others: TestServer[] = [];

/** Starts another server on the same databases. */
async function another(environment: Record<string, string> = {}): Promise<TestServer> {
  const started = await startTestServer({ on: server, environment, sealed: false });
  others.push(started);
  return started;
}

beforeAll(async () => {
  server = await startTestServer({ sealed: false });
  await query(
    server.databaseUrl,
    `create table show (id integer primary key, name text);
     create table ticket (
       code text primary key, title text, seat integer, extra jsonb, show_id integer references show
     );
     create table receipt (code text primary key, title text);
     create function tickets_like(search text) returns setof ticket language sql stable as
       $$ select * from ticket where title like search $$;
     insert into show values (4711, 'Faust');
     insert into ticket values
       ('secret-1', 'b', 1, null, 4711),
       ('secret-2', 'a', 2, '${JSON.stringify(likeIds)}', 4711),
       ('secret-3', '${plainId("secret-3")}', 3, '${JSON.stringify(likeJson)}', 4711),
       ('secret-4', null, 4, null, 4711);
     insert into receipt values ('secret-1', 'paid');`,
  );
  await server.metadata("replace_metadata", metadata);
}, 60_000);

afterAll(async () => {
  for (const started of others) await started.stop();
  others = [];
  await server.close();
});

const guest = { "x-engine-role": "guest" };
const clerk = { "x-engine-role": "clerk" };

async function ask(document: string, variables: object = {}, headers: object = guest, of: TestServer = server) {
  return (await of.post("/v1beta1/relay", { query: document, variables }, { ...headers })).json;
}

const everything = `{
  ticket_connection(order_by: {title: asc}) {
    edges { cursor node { id title extra ... on Node { again: id } } } pageInfo { startCursor endCursor }
  }
  search: tickets_like_connection(args: {search: "%"}) { edges { cursor node { id } } }
  show_connection { edges { cursor node {
    id tickets { id } tickets_aggregate { nodes { id } } tickets_connection(last: 2) { edges { cursor node { id } } }
  } } }
}`;
const node = "query ($id: ID!) { node(id: $id) { __typename id ... on ticket { title } } }";
const page = `query ($after: String) { ticket_connection(first: 1, order_by: {title: desc}, after: $after) {
  edges { cursor node { id title } } pageInfo { hasNextPage endCursor }
} }`;
const firstId = async (headers: object = guest, of = server): Promise<string> =>
  (await ask('{ ticket_connection(where: {title: {_eq: "a"}}) { edges { node { id } } } }', {}, headers, of)).data
    .ticket_connection.edges[0].node.id;

/** Returns all texts of ids and cursors in a response. */
function textsOf(answer: unknown, name = ""): string[] {
  if (typeof answer === "string") return /^(id|again|cursor|\w+Cursor)$/.test(name) ? [answer] : [];
  if (answer === null || typeof answer !== "object") return [];
  return Object.entries(answer).flatMap(([key, value]) => (key === "extra" ? [] : textsOf(value, key)));
}

const refusedId = (problem: string) => ({
  errors: [
    {
      message: `invalid node id: ${problem}`,
      extensions: { path: "$.selectionSet.node.args.id", code: "validation-failed" },
    },
  ],
});
const guessed = refusedId("it is not encrypted, as this role requires; use one that a query returned to this role");
const changed = refusedId("it was changed, or issued for something else");
const refusedCursor = {
  errors: [
    {
      message: 'the "after" or "before" cursor is invalid',
      extensions: { path: "$.selectionSet.ticket_connection.args", code: "validation-failed" },
    },
  ],
};

describe("Relay ids of roles without access to the key", () => {
  it("A hidden key appears in no id or cursor", async () => {
    const texts = textsOf(await ask(everything));
    expect(texts).toHaveLength(4 * 3 + 2 + 3 * 2 + 2 + 4 + 4 + 2 * 2);
    for (const text of texts) {
      expect(text).toMatch(/^[\w+/]+=*$/);
      expect(Buffer.from(text, "base64").toString("latin1")).not.toMatch(/secret|4711|ticket|show/);
    }
  });

  it("The length of a hidden key is not revealed", async () => {
    const lengths = textsOf(await ask("{ ticket_connection { edges { node { id } } } }")).map(({ length }) => length);
    await query(server.databaseUrl, "update ticket set code = 'secret-long-4' where code = 'secret-4'");
    const answer = await ask("{ ticket_connection { edges { node { id } } } }");
    await query(server.databaseUrl, "update ticket set code = 'secret-4' where code = 'secret-long-4'");
    expect(textsOf(answer).map(({ length }) => length)).toEqual(lengths);
  });

  it("A hidden key does not appear in the result of a mutation", async () => {
    const document = `mutation { update_ticket(where: {title: {_eq: "b"}}, _set: {extra: {a: 1}}) {
      affected_rows returning { title id extra }
    } }`;
    const answer = await ask(document);
    expect(answer).toMatchObject({ data: { update_ticket: { affected_rows: 1, returning: [{ title: "b" }] } } });
    const [id = ""] = textsOf(answer);
    expect(Buffer.from(id, "base64").toString("latin1")).not.toContain("secret");
    expect(await ask(node, { id })).toMatchObject({ data: { node: { id, title: "b" } } });
  });

  it("A hidden key does not appear in the result of a subscription", async () => {
    const client = await WebsocketClient.open(server.url, { path: "/v1beta1/relay", protocol: "graphql-transport-ws" });
    try {
      client.send({ type: "connection_init", payload: { headers: guest } });
      client.send({
        type: "subscribe",
        id: "s",
        payload: {
          query: 'subscription { ticket_connection(where: {title: {_eq: "a"}}) { edges { cursor node { id } } } }',
        },
      });
      let message: { readonly type?: string; readonly payload?: unknown } = {};
      while (message.type !== "next") message = JSON.parse(await client.text());
      const [cursor = "", id = ""] = textsOf(message.payload);
      expect(id).toBe(await firstId());
      expect(Buffer.from(cursor, "base64").toString("latin1")).not.toContain("secret");
    } finally {
      client.ws.terminate();
    }
  });

  it("Values that resemble ids are returned unchanged", async () => {
    const { data } = await ask("{ ticket_connection(order_by: {title: asc}) { edges { node { title extra } } } }");
    const nodes = data.ticket_connection.edges.map(({ node: row }: { node: object }) => row);
    expect(nodes).toContainEqual({ title: "a", extra: likeIds });
    expect(nodes).toContainEqual({ title: plainId("secret-3"), extra: likeJson });
  });

  it("A role can use the ids and cursors that it received", async () => {
    const { data } = await ask("{ ticket_connection(order_by: {title: desc}) { edges { node { id title } } } }");
    const rows = data.ticket_connection.edges.map(({ node: row }: { node: { id: string; title: string } }) => row);
    expect(rows).toHaveLength(4);
    for (const row of rows)
      expect(await ask(node, { id: row.id })).toEqual({ data: { node: { __typename: "ticket", ...row } } });
    const paged = [];
    let pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    pageInfo = { hasNextPage: true, endCursor: null };
    while (pageInfo.hasNextPage) {
      const found = (await ask(page, { after: pageInfo.endCursor })).data.ticket_connection;
      paged.push(...found.edges.map((edge: { node: object }) => edge.node));
      ({ pageInfo } = found);
    }
    expect(paged).toEqual(rows);
  });

  it("An empty page has empty cursors", async () => {
    const document = '{ ticket_connection(where: {title: {_eq: "-"}}) { pageInfo { startCursor endCursor } } }';
    const pageInfo = { startCursor: "", endCursor: "" };
    expect(await ask(document)).toEqual({ data: { ticket_connection: { pageInfo } } });
  });
});

describe("Guessed ids and cursors", () => {
  it("A guessed id is refused after any earlier requests", async () => {
    await ask(node, { id: await firstId() });
    for (const key of ["secret-1", "nobody"]) {
      expect(await ask(node, { id: plainId(key) })).toEqual(guessed);
      expect(await ask(`{ node(id: "${plainId(key)}") { __typename } }`)).toEqual(guessed);
    }
    // Names of hidden columns are not revealed either.
    expect(await ask(node, { id: plainId("secret-1", 2) })).toEqual(guessed);
  });

  it("A guessed cursor is refused after any earlier requests", async () => {
    const { data } = await ask(page);
    await ask(page, { after: data.ticket_connection.pageInfo.endCursor });
    for (const cursor of [{ title: "b", code: "secret-1" }, { title: null, code: "s" }, { code: "s" }]) {
      const after = base64(JSON.stringify(cursor));
      expect(await ask(page, { after })).toEqual(refusedCursor);
      expect(await ask(`{ ticket_connection(before: "${after}") { edges { cursor } } }`)).toEqual(refusedCursor);
    }
  });

  it("A modified or truncated id is refused", async () => {
    const id = Buffer.from(await firstId(), "base64");
    for (let at = 0; at < id.length; at += 1) {
      const copy = Buffer.from(id);
      copy[at] = (copy[at] ?? 0) ^ 1;
      const answer = await ask(node, { id: copy.toString("base64") });
      expect(answer.errors[0].message, `byte ${at}`).toMatch(/^invalid node id: (it was|Error in)/);
    }
    for (const part of [id.subarray(0, 1), id.subarray(0, 20), id.subarray(0, -1), Buffer.concat([id, id])]) {
      expect((await ask(node, { id: part.toString("base64") })).errors[0].message).toMatch(/^invalid node id: it was /);
    }
  });

  it("An id or cursor of another use is refused", async () => {
    const { data } = await ask(`{
      ticket_connection(order_by: {title: asc}) { edges { cursor node { id } } }
      receipt_connection(order_by: {title: asc}) { edges { cursor } }
    }`);
    const [{ cursor, node: row }] = data.ticket_connection.edges;
    expect(await ask(node, { id: cursor })).toEqual(changed);
    for (const after of [row.id, data.receipt_connection.edges[0].cursor]) {
      expect(await ask(page, { after })).toEqual(refusedCursor);
    }
    // A cursor of another ordering lacks the needed values.
    const other = (await ask("{ ticket_connection { edges { cursor } } }")).data.ticket_connection.edges[0].cursor;
    expect(await ask(page, { after: other })).toEqual(refusedCursor);
  });
});

describe("Relay ids of inherited roles", () => {
  const both = { "x-engine-role": "both", "x-engine-seat": "1" };

  it("An inherited role does not find keys of rows that hide them and has no plain ids", async () => {
    const orders = ["", "(order_by: {code: asc})", "(order_by: {seat: desc, title: asc})"];
    for (const order of orders) {
      const answer = await ask(`{ ticket_connection${order} { edges { cursor node { id code } } } }`, {}, both);
      expect(textsOf(answer)).toHaveLength(8);
      for (const text of textsOf(answer)) {
        expect(Buffer.from(text, "base64").toString("latin1")).not.toContain("secret");
      }
    }
    expect(await ask(node, { id: plainId("secret-1") }, both)).toEqual(guessed);
    const known = base64('{"code": "secret-1"}');
    expect(await ask(`{ ticket_connection(after: "${known}") { edges { cursor } } }`, {}, both)).toEqual(refusedCursor);
  });
});

describe("Relay ids of roles that may select the key", () => {
  it("A role that may select the key receives plain ids and cursors and may use both kinds", async () => {
    const { data } = await ask("{ ticket_connection { edges { cursor node { id title } } } }", {}, clerk);
    const [{ cursor, node: row }] = data.ticket_connection.edges;
    expect(Buffer.from(row.id, "base64").toString()).toBe('[1, "public", "ticket", "secret-1"]');
    expect(JSON.parse(Buffer.from(cursor, "base64").toString())).toEqual({ code: "secret-1" });
    expect(await ask(node, { id: await firstId() }, clerk)).toMatchObject({ data: { node: { title: "a" } } });
  });

  it("An id of another role shows only rows that the own permission allows", async () => {
    const found = await ask(node, { id: await firstId() }, { "x-engine-role": "holder", "x-engine-seat": "1" });
    expect(found).toEqual({ data: { node: null } });
  });
});

describe("The key of Relay ids", () => {
  it("The key of Relay ids is shared by all instances and appears in no export and no log", async () => {
    const second = await another();
    const id = await firstId();
    expect(await firstId(guest, second)).toBe(id);
    expect(await ask(node, { id }, guest, second)).toMatchObject({ data: { node: { title: "a" } } });
    const [row] = await query(server.metadataUrl, "select value from engine_catalog.engine_secret");
    const key = String(row?.value);
    expect(Buffer.from(key, "base64")).toHaveLength(32);
    const exported = (await server.post("/v1/metadata", { type: "export_metadata", args: {} })).text;
    const shown = `${exported}${server.log.join("")}${second.log.join("")}`;
    expect(shown).not.toContain(key);
  });

  it("The key of Relay ids can be configured, and ids of another key are refused with that reason", async () => {
    const key = "a key of at least 32 characters!";
    const [own, same] = [
      await another({ ENGINE_GRAPHQL_RELAY_ID_KEY: key }),
      await another({ ENGINE_GRAPHQL_RELAY_ID_KEY: key }),
    ];
    const id = await firstId(guest, own);
    expect(await firstId(guest, same)).toBe(id);
    const problem = "it was encrypted with another key; query the row again for a new one";
    expect(await ask(node, { id })).toEqual(refusedId(problem));
    expect(own.log.join("")).not.toContain(key);
  });
});
