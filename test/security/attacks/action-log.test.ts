/** Attempts to read, write or delay calls of other sessions through the log of asynchronous actions. */
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type ActionHandlerServer, startActionHandler } from "../../support/action-handler.ts";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let handler: ActionHandlerServer;
let engine: TestServer;
let answer: (response: ServerResponse) => void = (response) => response.end("null");

const admin = { "x-engine-admin-secret": "very-secret" };
const as = (id: string) => ({ ...admin, "x-engine-role": "user", "x-engine-user-id": id });

beforeAll(async () => {
  handler = await startActionHandler((_, response) => answer(response));
  engine = await startTestServer({
    environment: {
      HANDLER: `http://127.0.0.1:${handler.port}/handler`,
      KEY: "configured-secret",
      ENGINE_GRAPHQL_ADMIN_SECRET: "very-secret",
    },
  });
  const headers = [{ name: "x-key", value_from_env: "KEY" }];
  const definition = { handler: "{{HANDLER}}", kind: "asynchronous", output_type: "json", headers };
  const args = [{ name: "what", type: "json" }];
  const { status, text } = await engine.post(
    "/v1/metadata",
    {
      type: "bulk",
      args: ["say", "other"].flatMap((name) => [
        { type: "create_action", args: { name, definition: { ...definition, arguments: args } } },
        { type: "create_action_permission", args: { action: name, role: "user" } },
      ]),
    },
    admin,
  );
  if (status !== 200) throw new Error(text);
}, 60_000);

afterAll(async () => {
  await engine?.close();
  await handler?.close();
});

const ask = async (text: string, variables: object, headers: Record<string, string>) =>
  (await engine.post("/v1/graphql", { query: text, variables }, headers)).json;
const start = async (what: unknown, headers: Record<string, string>): Promise<string> =>
  (await ask("mutation($what: json) { say(what: $what) }", { what }, headers)).data.say;
const read = (id: string, headers: Record<string, string>, name = "say") =>
  ask(`query($id: uuid!) { result: ${name}(id: $id) { id errors output } }`, { id }, headers);
const ended = (id: string, headers: Record<string, string>) =>
  vi.waitFor(
    async () => {
      const { result } = (await read(id, headers)).data;
      expect(result.errors ?? result.output).not.toBeNull();
      return result;
    },
    { timeout: 5000 },
  );

it("The id of an asynchronous action is useless to another session and to another action", async () => {
  answer = (response) => response.end('"private"');
  const id = await start(1, as("1"));
  expect(await ended(id, as("1"))).toMatchObject({ output: "private" });
  for (const headers of [as("2"), { ...as("1"), "x-engine-more": "" }, { ...admin, "x-engine-role": "user" }]) {
    expect(await read(id, headers)).toEqual({ data: { result: null } });
  }
  expect(await read(id, as("1"), "other")).toEqual({ data: { result: null } });
  expect(await read(id, admin, "other")).toEqual({ data: { result: null } });
});

it.each([
  ["x' or true --"],
  ["%"],
  ["{00000000-0000-0000-0000-000000000000"],
  [{ or: 1 }],
  [["00000000-0000-0000-0000-000000000000"]],
])("The id of an asynchronous action never becomes SQL or several ids: %j", async (id) => {
  const { data, errors } = await read(id as string, as("1"));
  expect(data?.result ?? null).toBeNull();
  if (errors) expect(errors[0].extensions.code).toMatch(/data-exception|validation-failed/);
});

it("Arguments and session variables of an asynchronous action stay values", async () => {
  answer = (response) => response.end("true");
  const what = {
    session_variables: { "x-engine-role": "admin" },
    sql: "'); drop table engine_catalog.engine_action_log; --",
  };
  const headers = { ...as('1", "x-engine-role": "admin'), "x-engine-note": "'; --" };
  const id = await start(what, headers);
  await ended(id, headers);
  expect(JSON.parse(handler.requests.at(-1)?.text ?? "{}")).toMatchObject({
    input: { what },
    session_variables: {
      "x-engine-role": "user",
      "x-engine-user-id": '1", "x-engine-role": "admin',
      "x-engine-note": "'; --",
    },
  });
  expect(await read(id, as("1"))).toEqual({ data: { result: null } });
});

it("The log of asynchronous actions stores no admin secret, configured secret or withheld client header", async () => {
  answer = (response) => response.writeHead(500).end("{}");
  const headers = { ...as("1"), authorization: "Bearer client-secret", cookie: "client-secret" };
  const id = await start(1, headers);
  await ended(id, headers);
  const [row] = await query(
    engine.metadataUrl,
    `select l::text as text from engine_catalog.engine_action_log l where id = '${id}'`,
  );
  expect(row?.text).toContain("internal error");
  for (const secret of ["very-secret", "client-secret", "configured-secret"]) expect(row?.text).not.toContain(secret);
  const line = engine.log.filter((each) => each.includes("action-handler-log")).join("");
  expect(line).not.toMatch(/very-secret|client-secret|configured-secret/);
});

it("The list of calls is refused to roles, and its filters stay values", async () => {
  const list = async (args: object, headers: Record<string, string>) =>
    (await engine.post("/v1/metadata", { type: "get_action_logs", args }, headers)).json;
  const redeliver = { type: "redeliver_scheduled_events", args: { type: "one_off", status: ["error"] } };
  for (const headers of [as("1"), {}] as Record<string, string>[]) {
    expect((await list({}, headers)).code).toBe("access-denied");
    expect((await engine.post("/v1/metadata", redeliver, headers)).json.code).toBe("access-denied");
  }
  for (const action_name of ["say' or true --", "%", 'say"; drop table x; --']) {
    expect(await list({ action_name }, admin)).toMatchObject({ code: "not-exists" });
  }
  for (const args of [
    { call_id: "00000000-0000-0000-0000-000000000000' or true --" },
    { status: ["error' or true --"] },
    { action_name: "\u0000" },
    { from: "2026-01-01T00:00:00Z'; --" },
    { limit: "1; --" },
    { offset: -1 },
  ]) {
    expect((await list(args, admin)).code).toMatch(/parse-failed|invalid-json/);
  }
  const many = { limit: 2_147_483_647, offset: 2_147_483_647 };
  expect(await list(many, admin)).toEqual({ calls: [] });
});

it.each([["x' or true --"], ["%"], ["\u0000"], ["e".repeat(100_000)]])(
  "The id of a redelivered event stays a value: %j",
  async (event_id) => {
    for (const type of ["one_off", "cron"]) {
      const body = { type: "redeliver_scheduled_event", args: { type, event_id } };
      const { status, json } = await engine.post("/v1/metadata", body, admin);
      expect([status, json.code]).toEqual([400, event_id === "\u0000" ? "parse-failed" : "not-exists"]);
    }
  },
);

it("An oversized handler response ends only its own call", async () => {
  const chunk = Buffer.alloc(1024 * 1024, " ");
  answer = (response) => {
    let left = 100;
    const more = () => {
      while (left-- > 0) if (!response.write(chunk)) return void response.once("drain", more);
      response.end("1");
    };
    more();
  };
  const long = await start("long", as("1"));
  await vi.waitFor(
    async () =>
      expect((await read(long, as("1"))).data.result.errors).toMatchObject({
        error: "http exception when calling webhook",
      }),
    { timeout: 20_000 },
  );
  answer = (response) => response.end("2");
  expect(await ended(await start("short", as("1")), as("1"))).toMatchObject({ output: 2 });
}, 30_000);

it("A hanging handler of one caller does not delay other callers", async () => {
  const held: ServerResponse[] = [];
  answer = (response) => void held.push(response);
  const slow = await Promise.all(Array.from({ length: 20 }, () => start("slow", as("1"))));
  await vi.waitFor(() => expect(held).toHaveLength(20), { timeout: 5000 });
  answer = (response) => response.end("3");
  expect(await ended(await start("quick", as("2")), as("2"))).toMatchObject({ output: 3 });
  for (const response of held) response.end("4");
  for (const id of slow) await ended(id, as("1"));
});
