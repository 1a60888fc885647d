/** Cached responses are not disclosed to other clients. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { as, ask, clear, secret, setUpNotes, texts } from "../../integration/caching/set-up.ts";
import { type ActionHandlerServer, startActionHandler } from "../../support/action-handler.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let handler: ActionHandlerServer;
let server: TestServer;
let cookie: string | undefined;

beforeAll(async () => {
  handler = await startActionHandler((request, response) => {
    if (cookie !== undefined) response.setHeader("set-cookie", cookie);
    const { session_variables: session } = JSON.parse(request.text);
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify(`${session["x-engine-user-id"]} ${request.headers.authorization} ${handler.requests.length}`),
    );
  });
  server = await startTestServer({
    environment: {
      ENGINE_GRAPHQL_ADMIN_SECRET: secret["x-engine-admin-secret"],
      HANDLER: `http://127.0.0.1:${handler.port}/`,
    },
  });
  await setUpNotes(server);
  const create = (name: string, forward_client_headers: boolean) => [
    {
      type: "create_action",
      args: {
        name,
        definition: { handler: "{{HANDLER}}", type: "query", output_type: "String", forward_client_headers },
      },
    },
    { type: "create_action_permission", args: { action: name, role: "user" } },
  ];
  const args = [...create("plain", false), ...create("forwarding", true)];
  const { status, text } = await server.post("/v1/metadata", { type: "bulk", args }, secret);
  if (status !== 200) throw new Error(text);
});
afterAll(async () => {
  await server?.close();
  await handler?.close();
});
beforeEach(async () => {
  cookie = undefined;
  await clear(server, "");
});

const call = async (action: string, headers: Record<string, string>): Promise<string> =>
  (await ask(server, `query @cached { ${action} }`, headers)).json.data[action];

it("A cached response is not shared with another user of an action", async () => {
  const ann = await call("plain", as("user", "ann"));
  expect(ann).toMatch(/^ann /);
  expect(await call("plain", as("user", "ann"))).toBe(ann);
  expect(await call("plain", as("user", "bob"))).toMatch(/^bob /);
});

it("A cached response is not shared with a client whose forwarded headers differ", async () => {
  const first = await call("forwarding", { ...as("user", "ann"), authorization: "Bearer one" });
  const second = await call("forwarding", { ...as("user", "ann"), authorization: "Bearer two" });
  expect([first, second].map((text) => text.split(" ")[2])).toEqual(["one", "two"]);
  expect(await call("forwarding", { ...as("user", "ann"), authorization: "Bearer one" })).toBe(first);
});

it("A response that sets a cookie is not cached", async () => {
  cookie = "session=of-ann";
  const answer = await server.post("/v1/graphql", { query: "query @cached { plain }" }, as("user", "ann"));
  expect(answer.headers.get("set-cookie")).toBe("session=of-ann");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  cookie = undefined;
  expect(await call("plain", as("user", "ann"))).not.toBe(answer.json.data.plain);
});

it("A cached response is not served after its permission was revoked", async () => {
  const notes = "query @cached(ttl: 600) { note { text } }";
  expect(texts(await ask(server, notes, as("clerk")))).toHaveLength(2);
  const permission = { table: "note", role: "clerk" };
  await server.post("/v1/metadata", { type: "pg_drop_select_permission", args: permission }, secret);
  const refused = await ask(server, notes, as("clerk"));
  expect(refused.json.errors[0].extensions.code).toBe("validation-failed");
  const filter = { id: { _eq: 1 } };
  const args = { ...permission, permission: { columns: "*", filter } };
  await server.post("/v1/metadata", { type: "pg_create_select_permission", args }, secret);
  expect(texts(await ask(server, notes, as("clerk")))).toEqual(["first"]);
});

it("Cache keys distinguish values that concatenate to the same text", async () => {
  const query = "query ($a: String, $b: String) @cached { note(where: {owner: {_eq: $a}, text: {_neq: $b}}) { text } }";
  const keys = await Promise.all(
    [{ a: "ann", b: "" }, { a: "", b: "ann" }, { a: 'ann","b":"', b: "" }, { a: null, b: "" }, { b: "" }].map(
      async (variables) => (await ask(server, query, as("admin"), variables)).key,
    ),
  );
  const roles = [as("user", "ann"), as("user", 'ann"],["x-engine-user-id","bob'), as('user","', "ann")];
  const others = await Promise.all(
    roles.map(async (headers) => (await ask(server, "query @cached { note { text } }", headers)).key),
  );
  const revealed = [...keys, ...others].filter((key) => key !== null);
  expect(new Set(revealed).size).toBe(revealed.length);
  expect(revealed.length).toBeGreaterThanOrEqual(5);
});

it("A role cannot detect or clear cached responses of another role", async () => {
  const own = await ask(server, "query @cached { note { text } }", as("user", "ann"));
  const { status } = await clear(server, `?key=${own.key}`, as("user", "bob"));
  expect(status).toBe(400);
});
