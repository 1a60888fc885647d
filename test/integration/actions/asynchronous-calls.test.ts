/**
 * Requests to handlers of asynchronous actions (transforms, signatures, timeouts), and the endpoints that offer such
 * actions.
 */
import { createHmac } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type ActionHandlerServer, startActionHandler } from "../../support/action-handler.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let handler: ActionHandlerServer;
let engine: TestServer;
let answer: (response: ServerResponse) => void;

const key = "a secret of thirty-two bytes ...";

beforeAll(async () => {
  handler = await startActionHandler((_, response) => answer(response));
  const secret = `whsec_${Buffer.from(key).toString("base64")}`;
  engine = await startTestServer({ environment: { HANDLER: `http://127.0.0.1:${handler.port}`, KEY: secret } });
  const action = (name: string, more: object) => ({
    type: "create_action",
    args: { name, definition: { handler: "{{HANDLER}}/call", kind: "asynchronous", output_type: "json", ...more } },
  });
  const transform = (template: string) => ({ version: 2, body: { action: "transform", template } });
  await engine.metadata("bulk", [
    action("slow", { timeout: 1 }),
    action("bent", {
      arguments: [{ name: "no", type: "Int!" }],
      request_transform: {
        ...transform(`{ "n": {{ $body.input.no }}, "who": {{ $session_variables['x-engine-user-id'] }} }`),
        method: "PUT",
        url: "{{ $base_url }}/{{ $body.input.no }}",
      },
      response_transform: transform('{ "got": {{ $body }}, "sent": {{ $request.body.input.no }} }'),
    }),
    action("broken", { request_transform: transform("{{ $body.nothing }}") }),
    action("turned", { response_transform: transform("{{ $body.nothing.more }}") }),
    action("signed", { signing_secret: { value_from_env: "KEY" } }),
    { type: "create_action_permission", args: { action: "slow", role: "limited" } },
    {
      type: "set_api_limits",
      args: { rate_limit: { global: { max_reqs_per_min: 10_000 }, per_role: { limited: { max_reqs_per_min: 2 } } } },
    },
  ]);
}, 60_000);

afterAll(async () => {
  await engine?.close();
  await handler?.close();
});

beforeEach(() => {
  answer = (response) => response.end("1");
});

async function ended(field: string, headers: Readonly<Record<string, string>> = {}) {
  const { json } = await engine.post("/v1/graphql", { query: `mutation { id: ${field} }` }, headers);
  const name = field.split("(")[0];
  const query = `{ call: ${name}(id: "${json.data.id}") { id output errors } }`;
  return vi.waitFor(
    async () => {
      const { call } = (await engine.post("/v1/graphql", { query })).json.data;
      expect(call.output ?? call.errors).not.toBeNull();
      return call;
    },
    { timeout: 10_000, interval: 20 },
  );
}

it("A hanging handler of an asynchronous action times out after the action's timeout", async () => {
  answer = () => undefined;
  const began = performance.now();
  expect(await ended("slow")).toMatchObject({ output: null, errors: { error: "http exception when calling webhook" } });
  expect(performance.now() - began).toBeGreaterThan(900);
});

it("An asynchronous action transforms its request and response with the caller's session", async () => {
  answer = (response) => response.end('{"a": 1}');
  expect(await ended("bent(no: 7)", { "x-engine-user-id": "5" })).toMatchObject({
    output: { got: { a: 1 }, sent: 7 },
    errors: null,
  });
  const { method, path, text } = handler.requests.at(-1) ?? { method: "", path: "", text: "{}" };
  expect([method, path, JSON.parse(text)]).toEqual(["PUT", "/call/7", { n: 7, who: "5" }]);
});

it("A failing transform ends the call, and a failing request transform sends no request", async () => {
  const before = handler.requests.length;
  expect((await ended("broken")).errors).toMatchObject({ error: "Request Transformation Failed", code: "unexpected" });
  expect(handler.requests).toHaveLength(before);
  expect((await ended("turned")).errors).toMatchObject({ error: "Response Transformation Failed" });
});

it("The signature of an asynchronous call covers the id of the call", async () => {
  const { id } = await ended("signed");
  const request = handler.requests.at(-1);
  const headers = request?.headers ?? {};
  expect(headers["webhook-id"]).toBe(id);
  const signed = `${id}.${headers["webhook-timestamp"]}.${request?.text}`;
  const expected = createHmac("sha256", key).update(signed).digest("base64");
  expect(headers["webhook-signature"]).toBe(`v1,${expected}`);
});

it("The Relay API has the mutation of an asynchronous action but not its result field", async () => {
  const ask = async (query: string) => (await engine.post("/v1beta1/relay", { query })).json;
  expect(await ask("mutation { signed }")).toEqual({ data: { signed: expect.stringMatching(/^[0-9a-f-]{36}$/) } });
  const id = "00000000-0000-0000-0000-000000000000";
  expect((await ask(`{ signed(id: "${id}") { id } }`)).errors[0].message).toBe(
    "field 'signed' not found in type: 'query_root'",
  );
});

it("Each request of an asynchronous action counts toward the rate limit of its role", async () => {
  const headers = { "x-engine-role": "limited" };
  const codes: unknown[] = [];
  for (let i = 0; i < 3; i++) {
    const { json } = await engine.post("/v1/graphql", { query: "mutation { slow }" }, headers);
    codes.push(json.errors?.[0].extensions.code);
  }
  expect(codes).toEqual([undefined, undefined, "rate-limit-exceeded"]);
});
