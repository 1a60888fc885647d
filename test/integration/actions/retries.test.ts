/** Retries of asynchronous actions (`retry_conf`). */
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type ActionHandlerServer, startActionHandler } from "../../support/action-handler.ts";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let handler: ActionHandlerServer;
let engine: TestServer;
let answer: (response: ServerResponse, attempt: number) => void;

beforeAll(async () => {
  handler = await startActionHandler((_, response) => answer(response, handler.requests.length));
  engine = await startTestServer({ environment: { HANDLER: `http://127.0.0.1:${handler.port}` } });
  const action = (name: string, retry_conf?: object, more: object = {}) => ({
    type: "create_action",
    args: {
      name,
      definition: { handler: "{{HANDLER}}", kind: "asynchronous", output_type: "Int", ...more, retry_conf },
    },
  });
  await engine.metadata("bulk", [
    action("once"),
    action("thrice", { num_retries: 2, interval_sec: 0, timeout_sec: 1 }),
    action("chosen", { num_retries: 2, interval_sec: 0, retry_on: [503] }),
    action("later", { num_retries: 1, interval_sec: 3600 }),
  ]);
}, 60_000);

afterAll(async () => {
  await engine?.close();
  await handler?.close();
});

beforeEach(() => {
  handler.requests.length = 0;
});

async function call(name: string) {
  const { json } = await engine.post("/v1/graphql", { query: `mutation { id: ${name} }` });
  return { name, id: String(json.data.id) };
}

async function ended({ name, id }: { readonly name: string; readonly id: string }) {
  const text = `{ call: ${name}(id: "${id}") { output errors } }`;
  return vi.waitFor(
    async () => {
      const result = (await engine.post("/v1/graphql", { query: text })).json.data.call;
      expect(result.output ?? result.errors).not.toBeNull();
      return result;
    },
    { timeout: 20_000, interval: 20 },
  );
}

it.each([
  ["hangs", () => undefined],
  ["resets the connection", (response: ServerResponse) => response.destroy()],
  ["fails", (response: ServerResponse) => response.writeHead(500).end("{}")],
])("A call whose handler %s is repeated with the same id until it succeeds", async (_, fail) => {
  answer = (response, attempt) => (attempt < 3 ? void fail(response) : response.end("7"));
  const made = await call("thrice");
  expect(await ended(made)).toEqual({ output: 7, errors: null });
  expect(handler.requests).toHaveLength(3);
  const bodies = new Set(handler.requests.map(({ text }) => text));
  expect(bodies.size).toBe(1);
});

it("A call that fails at every attempt ends with the error of the last one", async () => {
  answer = (response, attempt) => response.writeHead(400).end(JSON.stringify({ message: `attempt ${attempt}` }));
  expect(await ended(await call("thrice"))).toMatchObject({ output: null, errors: { error: "attempt 3" } });
  expect(handler.requests).toHaveLength(3);
});

it("A 2xx response that does not match the output type is not repeated", async () => {
  answer = (response) => response.end('"text"');
  expect(await ended(await call("thrice"))).toMatchObject({ output: null, errors: { code: "unexpected" } });
  expect(handler.requests).toHaveLength(1);
});

it("retry_on lists the statuses to retry", async () => {
  answer = (response, attempt) => response.writeHead(attempt === 1 ? 503 : 400).end('{"message": "no"}');
  expect(await ended(await call("chosen"))).toMatchObject({ errors: { error: "no" } });
  expect(handler.requests).toHaveLength(2);
});

it("An action without retry_conf calls its handler once, whatever its response has as Retry-After", async () => {
  answer = (response) => response.writeHead(503, { "retry-after": "1" }).end("{}");
  expect(await ended(await call("once"))).toMatchObject({ output: null, errors: { error: "internal error" } });
  expect(handler.requests).toHaveLength(1);
});

it("A call that waits for a retry is listed as created with its last error, and its result is not ready", async () => {
  answer = (response) => response.writeHead(500).end("{}");
  const { id, name } = await call("later");
  const listed = async () =>
    (await engine.post("/v1/metadata", { type: "get_action_logs", args: { call_id: id } })).json.calls[0];
  await vi.waitFor(async () =>
    expect(await listed()).toMatchObject({ status: "created", errors: { code: "unexpected" } }),
  );
  const { json } = await engine.post("/v1/graphql", { query: `{ call: ${name}(id: "${id}") { output errors } }` });
  expect(json.data.call).toEqual({ output: null, errors: null });
  const row = `select tries, next_retry_at > now() + interval '3500 seconds' as waits
    from engine_catalog.engine_action_log where id = '${id}'`;
  expect(await query(engine.metadataUrl, row)).toEqual([{ tries: 1, waits: true }]);
});

it("retry_conf of a synchronous action is refused", async () => {
  const definition = { handler: "{{HANDLER}}", output_type: "Int", retry_conf: { num_retries: 1, interval_sec: 1 } };
  const { status, json } = await engine.post("/v1/metadata", {
    type: "create_action",
    args: { name: "now", definition },
  });
  const error = "retry_conf applies to asynchronous actions only";
  expect([status, json]).toEqual([400, { code: "parse-failed", error, path: "$.args.definition" }]);
});
