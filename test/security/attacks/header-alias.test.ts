/**
 * A server that accepts another engine's header names (`--header-alias`): mixing names gives clients neither access nor
 * information.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ActionHandlerServer, startActionHandler } from "../../support/action-handler.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

const secret = { "X-Hasura-Admin-Secret": "very-secret" };
const ann = { ...secret, "X-Hasura-Role": "user", "X-Hasura-User-Id": "ann" };

const sql = `
  create table note (id serial primary key, owner text not null, text text);
  create table audit (who text, same boolean);
  create function record() returns trigger language plpgsql as $$
  begin
    insert into audit values (
      current_setting('hasura.user', true)::json ->> 'x-hasura-user-id',
      current_setting('hasura.user', true) = current_setting('engine.user', true));
    return new;
  end $$;
  create trigger record after insert or update on note for each row execute function record();
  create function who(hasura_session json) returns setof note stable language sql as $$
    select 0, hasura_session ->> 'x-hasura-user-id', hasura_session ->> 'x-hasura-role'
  $$;
  insert into note (owner, text) values ('ann', 'hers'), ('bob', 'his'), ('X-Hasura-User-Id', 'nobody''s');
`;
const permission = {
  select: { columns: "*", filter: { owner: { _eq: "X-Hasura-User-Id" } } },
  insert: { columns: ["text"], check: { owner: "x-hasura-user-id" }, set: { owner: "X-Hasura-User-Id" } },
  update: { columns: ["text"], filter: { owner: "x-hasura-user-id" }, check: null },
};

let handler: ActionHandlerServer;
let engine: TestServer;

const operation = async (type: string, args: unknown): Promise<void> => {
  const { status, text } = await engine.post("/v1/metadata", { type, args }, secret);
  if (status !== 200) throw new Error(text);
};

beforeAll(async () => {
  handler = await startActionHandler((_, response) => response.end('{"ok":true}'));
  engine = await startTestServer({
    environment: {
      HANDLER: `http://127.0.0.1:${handler.port}/handler`,
      ENGINE_GRAPHQL_ADMIN_SECRET: "very-secret",
      ENGINE_GRAPHQL_UNAUTHORIZED_ROLE: "anyone",
      ENGINE_GRAPHQL_HEADER_ALIAS: "X-Hasura-=X-Engine-",
      ENGINE_GRAPHQL_OUTBOUND_ALLOW: "127.0.0.1",
    },
  });
  await engine.post("/v2/query", { type: "run_sql", args: { sql } }, secret);
  await operation("pg_track_table", { table: "note" });
  for (const [kind, given] of Object.entries(permission)) {
    for (const role of ["user", "anyone"]) {
      await operation(`pg_create_${kind}_permission`, { table: "note", role, permission: given });
    }
  }
  await operation("pg_track_function", { function: "who", configuration: { session_argument: "hasura_session" } });
  await operation("set_custom_types", { objects: [{ name: "Done", fields: [{ name: "ok", type: "Boolean" }] }] });
  const definition = { handler: "{{HANDLER}}", output_type: "Done", forward_client_headers: true };
  await operation("create_action", { name: "act", definition });
  await operation("create_action_permission", { action: "act", role: "user" });
});

afterAll(async () => {
  await engine?.close();
  await handler?.close();
});

const isPing = (message: unknown): boolean => JSON.stringify(message).includes('"ping"');

const rowsOf = async (statement: string): Promise<unknown> => {
  const { json } = await engine.post("/v2/query", { type: "run_sql", args: { sql: statement } }, secret);
  return json.result.slice(1);
};

describe("Aliased header names", () => {
  it("Aliased session variables work in metadata", async () => {
    expect(await engine.graphql("{ note { text } }", ann)).toEqual({ data: { note: [{ text: "hers" }] } });
    const own = { "x-engine-admin-secret": "very-secret", "x-engine-role": "user", "x-engine-user-id": "bob" };
    expect(await engine.graphql("{ note { text } }", own)).toEqual({ data: { note: [{ text: "his" }] } });
    expect(await engine.graphql("{ note { text } }", { ...secret, "x-hasura-role": "user" })).toMatchObject({
      errors: [{ message: expect.stringContaining("missing session variable") }],
    });
  });

  it("Aliased session variables are exported as they were written", async () => {
    const { json } = await engine.post("/v1/metadata", { type: "export_metadata", args: {} }, secret);
    const { select_permissions } = json.sources[0].tables[0];
    expect(select_permissions[0].permission.filter).toEqual(permission.select.filter);
  });

  it("Session variables under both names are in the SQL setting and in session arguments", async () => {
    await engine.graphql('mutation { insert_note_one(object: {text: "one"}) { owner } }', ann);
    const two =
      'mutation { a: insert_note_one(object: {text: "two"}) { id } update_note(where: {}, _set: {text: "three"}) { affected_rows } }';
    await engine.graphql(two, ann);
    const saved = await rowsOf("select who, same, count(*) from audit group by 1, 2 order by 1");
    expect(saved).toEqual([
      ["ann", "t", "5"],
      // Rows written by admin SQL.
      ["NULL", "t", "3"],
    ]);
    expect(await engine.graphql("{ who { owner text } }", ann)).toEqual({
      data: { who: [{ owner: "ann", text: "user" }] },
    });
    const all = { ...secret, "X-Hasura-User-Id": "root" };
    expect(await engine.graphql("{ who { owner text } }", all)).toEqual({
      data: { who: [{ owner: "root", text: "admin" }] },
    });
  });

  it("Aliased headers work alike in REST, explain and WebSocket", async () => {
    const user = { "x-hasura-role": "user", "x-hasura-user-id": "ann" };
    const { json } = await engine.post("/v1/graphql/explain", { query: { query: "{ note { id } }" }, user }, secret);
    expect(json[0].sql).toContain("ann");
    const client = await WebsocketClient.open(engine.url, { protocol: "graphql-transport-ws" });
    client.send({ type: "connection_init", payload: { headers: ann } });
    client.send({ type: "subscribe", id: "1", payload: { query: "{ note(limit: 1) { owner } }" } });
    const messages = (await client.take(4)).filter((message) => !isPing(message)).slice(0, 2);
    expect(messages).toMatchObject([{ type: "connection_ack" }, { payload: { data: { note: [{ owner: "ann" }] } } }]);
    client.close();
  });
});

describe("Mixed header names", () => {
  it.each<[string, Record<string, string>]>([
    ["for another role", { "x-engine-role": "admin" }],
    ["for another user", { "x-engine-user-id": "bob" }],
    ["for an additional variable", { "x-engine-org": "1" }],
    ["with a second secret", { "x-engine-admin-secret": "very-secret" }],
  ])("A request with mixed header names is refused: %s", async (_, added) => {
    const { status, json } = await engine.post("/v1/graphql", { query: "{ note { text } }" }, { ...ann, ...added });
    expect([status, json]).toEqual([
      200,
      {
        errors: [{ message: expect.stringContaining("do not match"), extensions: { code: "bad-request", path: "$" } }],
      },
    ]);
  });

  it("A WebSocket with mixed names in handshake and first message is refused", async () => {
    const client = await WebsocketClient.open(engine.url, {
      protocol: "graphql-transport-ws",
      headers: { ...secret, "x-hasura-role": "user", "x-hasura-user-id": "ann" },
    });
    client.send({ type: "connection_init", payload: { headers: { "x-engine-role": "admin" } } });
    expect(await client.closed).toMatchObject({ code: 4403, reason: expect.stringContaining("Forbidden") });
  });

  it("A request without credentials has the unauthorized role by either name", async () => {
    const asks = { "x-hasura-role": "admin", "x-hasura-user-id": "ann" };
    expect(await engine.graphql("mutation { delete_note(where: {}) { affected_rows } }", asks)).toMatchObject({
      errors: [{ extensions: { code: "validation-failed" } }],
    });
    const metadata = await engine.post("/v1/metadata", { type: "export_metadata", args: {} }, asks);
    expect(metadata.json).toMatchObject({ code: "access-denied" });
  });
});

describe("Handlers with aliased headers", () => {
  const act = "mutation { act { ok } }";
  const names = (headers: object) => Object.keys(headers).filter((name) => /^x-(hasura|engine)-/.test(name));

  it("A handler receives session variables under both names and no secret", async () => {
    handler.requests.length = 0;
    await engine.graphql(act, { ...ann, "x-hasura-org": "1", "x-other": "2" });
    const [{ text, headers } = { text: "{}", headers: {} }] = handler.requests;
    expect(JSON.parse(text).session_variables).toEqual({
      "x-engine-role": "user",
      "x-engine-user-id": "ann",
      "x-engine-org": "1",
      "x-hasura-role": "user",
      "x-hasura-user-id": "ann",
      "x-hasura-org": "1",
    });
    expect(headers).toMatchObject({ "x-other": "2" });
    expect(names(headers)).toEqual([]);
  });

  it("A handler receives no session headers of a WebSocket client by either name", async () => {
    handler.requests.length = 0;
    const client = await WebsocketClient.open(engine.url, { protocol: "graphql-transport-ws" });
    client.send({ type: "connection_init", payload: { headers: { ...ann, "x-hasura-org": "1", "x-other": "2" } } });
    client.send({ type: "subscribe", id: "1", payload: { query: act } });
    await expect.poll(() => handler.requests.length).toBe(1);
    const [{ headers } = { headers: {} }] = handler.requests;
    expect(headers).toMatchObject({ "x-other": "2" });
    expect(names(headers)).toEqual([]);
    client.close();
  });
});

it("No log line contains the secret", () => {
  expect(engine.log.join("")).not.toContain("very-secret");
});
