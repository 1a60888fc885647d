/** Actions in REST endpoints, OpenAPI, artifacts and inherited roles, and limits for them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ActionHandlerServer, startActionHandler } from "../../support/action-handler.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let handler: ActionHandlerServer;
let live: TestServer;
let sealed: TestServer;

beforeAll(async () => {
  handler = await startActionHandler(({ text, path }, response) => {
    const { amount } = JSON.parse(text).input;
    if (path === "/slow") return;
    if (amount < 0) response.writeHead(422).end('{"message": "less than nothing", "code": "too-small"}');
    else response.end(JSON.stringify({ id: amount, buyer: amount }));
  });
  const environment = { HANDLER: `http://127.0.0.1:${handler.port}` };
  live = await startTestServer({ environment });
  const sql = "create table person (id int primary key, name text); insert into person values (1, 'Ann')";
  await live.post("/v2/query", { type: "run_sql", args: { sql } });
  const relationship = { name: "person", type: "object", remote_table: "person", field_mapping: { buyer: "id" } };
  const fields = [
    { name: "id", type: "Int!" },
    { name: "buyer", type: "Int" },
  ];
  const definition = {
    handler: "{{HANDLER}}/pay",
    output_type: "Paid!",
    arguments: [{ name: "amount", type: "Int!" }],
  };
  const query = "mutation pay($amount: Int!) { pay(amount: $amount) { id person { name } } }";
  await live.metadata("bulk", [
    { type: "pg_track_table", args: { table: "person" } },
    { type: "set_custom_types", args: { objects: [{ name: "Paid", fields, relationships: [relationship] }] } },
    { type: "create_action", args: { name: "pay", definition } },
    {
      type: "create_action",
      args: { name: "slow", definition: { ...definition, handler: "{{HANDLER}}/slow", type: "query" } },
    },
    { type: "create_action_permission", args: { action: "pay", role: "payer" } },
    { type: "create_action_permission", args: { action: "slow", role: "payer" } },
    {
      type: "pg_create_select_permission",
      args: { table: "person", role: "other", permission: { columns: ["name"], filter: {} } },
    },
    { type: "add_inherited_role", args: { role_name: "heir", role_set: ["payer", "other"] } },
    { type: "create_query_collection", args: { name: "desk", definition: { queries: [{ name: "pay", query }] } } },
    {
      type: "create_rest_endpoint",
      args: {
        name: "pay",
        url: "pay/:amount",
        methods: ["POST"],
        definition: { query: { collection_name: "desk", query_name: "pay" } },
      },
    },
    { type: "set_api_limits", args: { disabled: false, time_limit: { global: 60, per_role: { payer: 1 } } } },
  ]);
  sealed = await startTestServer({ environment, on: live, sealed: true });
}, 120_000);

afterAll(async () => {
  await sealed?.stop();
  await live?.close();
  await handler?.close();
});

describe.each(["live", "sealed"])("Synchronous actions on a %s server", (kind) => {
  const server = (): TestServer => (kind === "live" ? live : sealed);

  it("A REST endpoint returns the result of a synchronous action", async () => {
    const paid = await server().post("/api/rest/pay/1", {});
    expect([paid.status, paid.json]).toEqual([200, { data: { pay: { id: 1, person: { name: "Ann" } } } }]);
    const refused = await server().post("/api/rest/pay/-1", {});
    expect([refused.status, refused.json]).toEqual([422, { error: "less than nothing", path: "$", code: "too-small" }]);
  });

  it("OpenAPI describes the REST endpoint of a synchronous action", async () => {
    const { json } = await fetch(`${server().url}/api/swagger/json`).then(async (answer) => ({
      json: JSON.parse(await answer.text()),
    }));
    const { responses } = json.paths["/api/rest/pay/{amount}"].post;
    const { data } = responses["200"].content["application/json"].schema.properties;
    expect(data.properties.pay).toMatchObject({
      title: "Paid",
      nullable: false,
      properties: { id: { type: "integer" }, person: { nullable: true, properties: { name: { type: "string" } } } },
    });
  });

  it("An inherited role may use the synchronous actions of its parents", async () => {
    const query = "mutation { pay(amount: 1) { id person { name } } }";
    const answer = await server().post("/v1/graphql", { query }, { "x-engine-role": "heir" });
    expect(answer.json).toEqual({ data: { pay: { id: 1, person: { name: "Ann" } } } });
    const alone = await server().post("/v1/graphql", { query }, { "x-engine-role": "payer" });
    expect(alone.json.errors[0].message).toBe("field 'person' not found in type: 'Paid'");
  });

  it("A synchronous action ends at the time limit of its role", async () => {
    const headers = { "x-engine-role": "payer" };
    const { json } = await server().post("/v1/graphql", { query: "{ slow(amount: 1) { id } }" }, headers);
    expect(json.errors).toHaveLength(1);
  });

  it("The Relay API has the mutations of actions but not their queries", async () => {
    const paid = await server().post("/v1beta1/relay", { query: "mutation { pay(amount: 1) { id } }" });
    expect(paid.json).toEqual({ data: { pay: { id: 1 } } });
    const slow = await server().post("/v1beta1/relay", { query: "{ slow(amount: 1) { id } }" });
    expect(slow.json.errors[0].message).toBe("field 'slow' not found in type: 'query_root'");
  });
});
