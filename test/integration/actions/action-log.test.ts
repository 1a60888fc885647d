/**
 * The log of asynchronous actions: which instance makes a call, which rows are deleted, and the state after a shutdown.
 */
import type { ServerResponse } from "node:http";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type ActionHandlerServer, startActionHandler } from "../../support/action-handler.ts";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

let handler: ActionHandlerServer;
/** An instance that makes no calls. */
let first: TestServer;
let answer: (response: ServerResponse) => void;
const servers: TestServer[] = [];

const environment = () => ({ HANDLER: `http://127.0.0.1:${handler.port}` });
/** Disables scheduled polls of the log, so that only notifications can start a call. */
const never = { ENGINE_GRAPHQL_ASYNC_ACTIONS_FETCH_INTERVAL: "600000" };

beforeAll(async () => {
  handler = await startActionHandler((_, response) => answer(response));
  first = await startTestServer({
    sealed: false,
    environment: { ...environment(), ENGINE_GRAPHQL_ASYNC_ACTIONS_FETCH_INTERVAL: "0" },
  });
  const definition = { handler: "{{HANDLER}}/say", kind: "asynchronous", output_type: "Int" };
  for (const name of ["say", "other"]) await first.metadata("create_action", { name, definition });
}, 60_000);

afterAll(async () => {
  await first?.close();
  await handler?.close();
});

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  await query(first.metadataUrl, "delete from engine_catalog.engine_action_log");
});

async function another(more: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const server = await startTestServer({ sealed: false, on: first, environment: { ...environment(), ...more } });
  servers.push(server);
  return server;
}

async function start(server = first, name = "say"): Promise<string> {
  const { json } = await server.post("/v1/graphql", { query: `mutation { ${name} }` });
  return json.data[name];
}

const statusOf = async (id: string): Promise<unknown> =>
  (await query(first.metadataUrl, `select status from engine_catalog.engine_action_log where id = '${id}'`))[0]?.status;

const becomes = (id: string, status: string, timeout = 5000) =>
  vi.waitFor(async () => expect(await statusOf(id)).toBe(status), { timeout, interval: 20 });

const callsOf = () => handler.requests.length;

describe("Calls of asynchronous actions", () => {
  it.each([
    ["ENGINE_GRAPHQL_ASYNC_ACTIONS_FETCH_INTERVAL", "0"],
    ["ENGINE_GRAPHQL_ASYNC_ACTIONS_FETCH_BATCH_SIZE", "0"],
    ["ENGINE_GRAPHQL_DISABLE_EVENTING", "true"],
    ["ENGINE_GRAPHQL_DISABLE_EVENT_PROCESSING", "true"],
  ])("An instance leaves calls to other instances with %s=%s", async (name, value) => {
    answer = (response) => response.end("1");
    const before = callsOf();
    const server = await another({ [name]: value });
    const id = await start(server);
    expect(await statusOf(id)).toBe("created");
    expect(callsOf()).toBe(before);
    await another(never);
    await becomes(id, "completed");
  });

  it("Another instance makes a call at once and notifies subscribers of other instances", async () => {
    const held: ServerResponse[] = [];
    answer = (response) => void held.push(response);
    await another(never);
    const since = performance.now();
    const id = await start(first);
    const client = await WebsocketClient.open(first.url, { protocol: "graphql-transport-ws" });
    client.send({ type: "connection_init" });
    const payload = { query: "subscription($id: uuid!) { say(id: $id) { output } }", variables: { id } };
    client.send({ id: "1", type: "subscribe", payload });
    const results: unknown[] = [];
    const next = async () => {
      for (;;) {
        const message = (await client.next()) as { readonly type: string; readonly payload: unknown };
        if (message.type === "next" || message.type === "complete") return message.payload ?? message.type;
      }
    };
    results.push(await next());
    await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: 5000 });
    expect(performance.now() - since).toBeLessThan(5000);
    held[0]?.end("5");
    results.push(await next(), await next());
    expect(results).toEqual([{ data: { say: { output: null } } }, { data: { say: { output: 5 } } }, "complete"]);
    client.close();
  });

  it("A stopping server waits for its calls in progress", async () => {
    const held: ServerResponse[] = [];
    answer = (response) => void held.push(response);
    const server = await another({ ...never, ENGINE_GRAPHQL_GRACEFUL_SHUTDOWN_TIMEOUT: "10" });
    const id = await start(server);
    await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: 5000 });
    const stopped = server.stop();
    servers.splice(0);
    setTimeout(() => held[0]?.end("2"), 300);
    await stopped;
    expect(await statusOf(id)).toBe("completed");
  });

  it("A call that outlasts a stopping server is made again by another instance", async () => {
    const held: ServerResponse[] = [];
    answer = (response) => void held.push(response);
    const server = await another({ ...never, ENGINE_GRAPHQL_GRACEFUL_SHUTDOWN_TIMEOUT: "1" });
    const id = await start(server);
    await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: 5000 });
    await server.stop();
    servers.splice(0);
    expect(await statusOf(id)).toBe("created");
    answer = (response) => response.end("3");
    await another(never);
    await becomes(id, "completed");
  });

  it("A call of an unresponsive instance is made again", async () => {
    answer = (response) => response.end("4");
    const id = await start();
    const instance = "00000000-0000-4000-8000-000000000001";
    await query(
      first.metadataUrl,
      `insert into engine_catalog.engine_server_instances (id, seen_at) values ('${instance}', now() - interval '1 hour');
       update engine_catalog.engine_action_log set status = 'processing', locked_by = '${instance}', locked_at = now()`,
    );
    const before = callsOf();
    await another(never);
    await becomes(id, "completed", 20_000);
    expect(callsOf()).toBe(before + 1);
  }, 30_000);
});

describe("The drop_action operation", () => {
  const count = async (name: string) =>
    (await query(first.metadataUrl, `select from engine_catalog.engine_action_log where action_name = '${name}'`))
      .length;
  const redeliver = () =>
    first.metadata("create_action", {
      name: "other",
      definition: { handler: "{{HANDLER}}/say", kind: "asynchronous", output_type: "Int" },
    });

  it("drop_action deletes the calls of its action and of no other", async () => {
    for (const name of ["say", "other", "other"]) await start(first, name);
    await first.metadata("drop_action", { name: "other" });
    expect([await count("say"), await count("other")]).toEqual([1, 0]);
    await redeliver();
  });

  it("drop_action keeps the calls of its action if clear_data is false", async () => {
    const id = await start(first, "other");
    await first.metadata("drop_action", { name: "other", clear_data: false });
    expect(await count("other")).toBe(1);
    await redeliver();
    const { json } = await first.post("/v1/graphql", { query: `{ other(id: "${id}") { id } }` });
    expect(json).toEqual({ data: { other: { id } } });
  });

  it("A refused drop_action deletes no calls", async () => {
    await start();
    await expect(first.metadata("drop_action", { name: "say", clear_data: 5 })).rejects.toThrow();
    const all = [
      { type: "drop_action", args: { name: "say" } },
      { type: "drop_action", args: { name: "nobody" } },
    ];
    await expect(first.metadata("bulk", all)).rejects.toThrow("nobody");
    expect(await count("say")).toBe(1);
  });
});

describe("The get_action_logs operation", () => {
  const listed = async (args: object, server = first) =>
    (await server.metadata("get_action_logs", args)) as {
      readonly calls: { readonly id: string; readonly action_name: string; readonly status: string }[];
      readonly count?: number;
    };
  const columns = "action_name, status, created_at, input_payload, request_headers, session_variables, errors";

  it("get_action_logs returns calls with input, output, errors and role, but no headers or session variables", async () => {
    const answers = ['{"n": 12345678901234567890}', "null"];
    answer = (response) => (answers.length > 1 ? response.end(answers.shift()) : response.writeHead(500).end("{}"));
    const json = { handler: "{{HANDLER}}/say", kind: "asynchronous", output_type: "json" };
    await first.metadata("create_action", { name: "read", definition: json });
    await first.metadata("create_action_permission", { action: "read", role: "user" });
    const headers = { "x-engine-role": "user", "x-engine-secret-variable": "private", "x-other": "private" };
    const call = async (): Promise<string> =>
      (await first.post("/v1/graphql", { query: "mutation { read }" }, headers)).json.data.read;
    const server = await another(never);
    const good = await call();
    await becomes(good, "completed");
    const bad = await call();
    await becomes(bad, "error");
    const { text, json: found } = await server.post("/v1/metadata", {
      type: "get_action_logs",
      args: { action_name: "read", get_rows_count: true },
    });
    expect(text).toContain('"output":{"n":12345678901234567890}');
    const time = expect.stringMatching(/^20.*Z$/);
    const common = { action_name: "read", created_at: time, response_received_at: time, role: "user", input: {} };
    expect(found).toEqual({
      count: 2,
      calls: [
        {
          ...common,
          id: bad,
          status: "error",
          output: null,
          errors: expect.objectContaining({ error: "internal error", internal: expect.anything() }),
        },
        { ...common, id: good, status: "completed", output: expect.anything(), errors: null },
      ],
    });
    expect(JSON.stringify(found.calls[1])).not.toContain("private");
    expect(text).not.toContain("x-other");
    const discreet = await another({ ...never, ENGINE_GRAPHQL_ADMIN_INTERNAL_ERRORS: "false" });
    const [shown] = (await listed({ call_id: bad }, discreet)).calls;
    expect(JSON.stringify(shown)).not.toContain('internal":');
    expect(shown).toMatchObject({ id: bad, errors: { error: "internal error" } });
    await first.metadata("drop_action", { name: "read" });
  });

  it("get_action_logs returns the pages of a naive evaluation for any action, statuses, time and part", async () => {
    const statuses = ["created", "processing", "completed", "error"];
    const times = ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z", "2026-01-03T00:00:00.000Z"];
    await query(
      first.metadataUrl,
      `insert into engine_catalog.engine_action_log (${columns})
       select (array['say', 'other', 'gone'])[1 + n % 3], ($1::text[])[1 + n / 3 % 4], ($2::timestamptz[])[1 + n / 12 % 3],
         case n when 0 then '{"(json text)": "{\\"a\\": \\"\\\\u0000\\"}"}' when 1 then '{"(json text)": "{"}' else '{}' end::jsonb,
         '{}', '{}', null from generate_series(0, 71) n`,
      [statuses, times],
    );
    const rows = (
      await query(
        first.metadataUrl,
        "select id::text as id, action_name, status, created_at from engine_catalog.engine_action_log order by created_at desc, id desc",
      )
    ).map((row) => ({ ...row, created_at: (row.created_at as Date).toISOString() })) as {
      id: string;
      action_name: string;
      status: string;
      created_at: string;
    }[];
    const draw = fc.record(
      {
        action_name: fc.constantFrom("say", "other", "gone"),
        status: fc.uniqueArray(fc.constantFrom(...statuses)),
        from: fc.constantFrom(...times),
        to: fc.constantFrom(...times),
        limit: fc.nat(30),
        offset: fc.nat(30),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(draw, async (args) => {
        const { action_name, status = [], from = "", to = "9", limit = 100, offset = 0 } = args;
        const wanted = rows.filter(
          (row) =>
            (action_name === undefined || row.action_name === action_name) &&
            (status.length === 0 || status.includes(row.status)) &&
            row.created_at >= from &&
            row.created_at < to,
        );
        const { calls, count } = await listed({ ...args, get_rows_count: true });
        expect(calls.map(({ id }) => id)).toEqual(wanted.slice(offset, offset + limit).map(({ id }) => id));
        expect(count).toBe(wanted.length);
      }),
      { numRuns: 40 },
    );
    // A text that jsonb refuses is returned as it was sent; an unreadable row does not hide the others.
    const inputs = (await listed({ status: ["created"], to: times[1] })).calls.map((call) => JSON.stringify(call));
    expect(inputs.filter((text) => text.includes('"input":{"a":"\\u0000"}'))).toHaveLength(1);
    expect(inputs.filter((text) => text.includes("(json text)"))).toHaveLength(1);
  });

  it("get_action_logs refuses an action that neither the metadata nor the log has", async () => {
    const args = { action_name: "sya" };
    const { status, json } = await first.post("/v1/metadata", { type: "get_action_logs", args });
    expect([status, json.code, json.error]).toEqual([400, "not-exists", 'action with name "sya" does not exist']);
    expect(await listed({ action_name: "say" })).toEqual({ calls: [] });
  });
});

describe("Clearing of the action log", () => {
  const aged = async (hours: number, status: string): Promise<string> => {
    const id = await start();
    await query(
      first.metadataUrl,
      `update engine_catalog.engine_action_log set status = '${status}', created_at = now() - interval '${hours} hours',
         response_received_at = ${status === "created" ? "null" : `now() - interval '${hours} hours'`}
       where id = '${id}'`,
    );
    return id;
  };
  const left = async () =>
    (await query(first.metadataUrl, "select id::text as id from engine_catalog.engine_action_log")).map(({ id }) => id);
  const clearing = {
    ENGINE_GRAPHQL_ACTION_LOG_CLEAR_OLDER_THAN: "2",
    ENGINE_GRAPHQL_ASYNC_ACTIONS_FETCH_INTERVAL: "0",
  };

  it("Clearing deletes calls that ended before the configured age, at the start and after each interval", async () => {
    const kept = [await aged(1, "completed"), await aged(9, "created")];
    await aged(3, "completed");
    await aged(3, "error");
    await another({ ...clearing, ENGINE_GRAPHQL_ACTION_LOG_CLEAR_INTERVAL: "1" });
    await vi.waitFor(async () => expect(new Set(await left())).toEqual(new Set(kept)), { timeout: 5000 });
    await aged(3, "completed");
    await vi.waitFor(async () => expect(new Set(await left())).toEqual(new Set(kept)), { timeout: 5000 });
  });

  it("Clearing deletes all expired calls in batches and logs their number", async () => {
    for (let i = 0; i < 5; i++) await aged(3, "completed");
    await query(
      first.metadataUrl,
      `create table deletions (count int);
       create function count_deletions() returns trigger language plpgsql as $$
         begin insert into public.deletions select count(*) from gone; return null; end $$;
       create trigger count_deletions after delete on engine_catalog.engine_action_log
         referencing old table as gone for each statement execute function count_deletions()`,
    );
    const server = await another({ ...clearing, ENGINE_GRAPHQL_ACTION_LOG_CLEAR_BATCH_SIZE: "2" });
    await vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: 5000 });
    const deletions = await query(first.metadataUrl, "select count from deletions where count > 0");
    expect(deletions.map(({ count }) => count)).toEqual([2, 2, 1]);
    await vi.waitFor(
      () => expect(server.log.join("")).toMatch(/Cleared old calls from the action log.*"deleted":5/),
      5000,
    );
    await query(first.metadataUrl, "drop function count_deletions cascade; drop table deletions");
  });

  it("Clearing deletes no calls unless it is configured and the database is writable", async () => {
    const id = await aged(1000, "completed");
    await another({ ENGINE_GRAPHQL_ACTION_LOG_CLEAR_INTERVAL: "1" });
    await another({ ...clearing, ENGINE_GRAPHQL_ENABLE_READ_ONLY_MODE: "true" });
    await another({ ...clearing, ENGINE_GRAPHQL_DISABLE_EVENTING: "true" });
    // A deletion by an instance with clearing enabled shows that the other instances had time to delete rows.
    const old = await aged(3000, "completed");
    await another({ ...clearing, ENGINE_GRAPHQL_ACTION_LOG_CLEAR_OLDER_THAN: "2000" });
    await vi.waitFor(async () => expect(await left()).not.toContain(old), { timeout: 5000 });
    expect(await left()).toEqual([id]);
  });
});
