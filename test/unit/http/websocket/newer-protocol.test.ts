import { afterEach, describe, expect, it } from "vitest";
import { begin, closeHarness, newer, start } from "./harness.ts";

afterEach(closeHarness);

describe("Connections of the graphql-transport-ws protocol", () => {
  it("A graphql-transport-ws connection sends its messages in the order of the protocol", async () => {
    const client = await (await start()).open(newer);
    expect(client.ws.protocol).toBe("graphql-transport-ws");
    expect(await client.text()).toBe('{"type":"ping","payload":{"message":"keepalive"}}');
    client.send({ type: "connection_init", payload: {} });
    expect(await client.text()).toBe('{"type":"connection_ack"}');
    expect(await client.text()).toBe('{"type":"ping","payload":{"message":"keepalive"}}');
    client.send({ type: "subscribe", id: "1", payload: { query: "x" } });
    expect(await client.text()).toBe('{"type":"next","id":"1","payload":{"data":"x"}}');
    expect(await client.text()).toBe('{"type":"complete","id":"1"}');
  });

  it("A graphql-transport-ws connection sends errors as a list", async () => {
    const client = await (await start()).ready(newer);
    client.send(begin("refuse"));
    const refused = { message: "no such field", extensions: { path: "$.x", code: "validation-failed" } };
    expect(await client.take(2)).toEqual([
      { type: "error", id: "1", payload: [refused] },
      { type: "complete", id: "1" },
    ]);
    client.send(begin("fail"));
    const failed = { message: "database query error", extensions: { path: "$", code: "unexpected" } };
    expect(await client.take(2)).toEqual([
      { type: "error", id: "1", payload: [failed] },
      { type: "complete", id: "1" },
    ]);
  });

  it.each([
    ["stop without an id", { type: "complete" }, 'key "id" not found'],
    ["an unknown type", { type: "test" }, "unexpected type for ClientMessage: test"],
  ])("A graphql-transport-ws connection closes after %s", async (_name, message, problem) => {
    const client = await (await start()).ready(newer);
    client.send(message);
    const { code, reason } = await client.closed;
    const whole = `4400: Parsing client message failed: parsing ClientMessage failed: ${problem}`;
    const shown = (JSON.parse(reason) as { server_error_msg: string }).server_error_msg;
    expect([code, whole.startsWith(shown), shown.length]).toEqual([4400, true, expect.toSatisfy((n) => n > 80)]);
  });

  it("A graphql-transport-ws connection closes if an operation fails to start", async () => {
    const { open, ready } = await start();
    const early = await open(newer);
    await early.next();
    early.send(begin("early"));
    const text = "start received before the connection is initialised";
    const error = { message: text, extensions: { path: "$", code: "start-failed" } };
    expect(await early.rest()).toEqual([
      { type: "error", id: "1", payload: error },
      { type: "error", id: "1", payload: text },
      { type: "complete", id: "1" },
    ]);
    expect(await early.closed).toEqual({ code: 1000, reason: '{"server_error_msg":"4401: Unauthorized"}' });
    const twice = await ready(newer);
    twice.send(begin("live", "a"));
    twice.send(begin("live", "a"));
    expect(await twice.closed).toEqual({
      code: 1000,
      reason: '{"server_error_msg":"4409: Subscriber for a already exists"}',
    });
  });

  it("A graphql-transport-ws connection closes if its initialization is refused, late or repeated", async () => {
    const { open, ready } = await start({ SECRET: "s", ENGINE_GRAPHQL_WEBSOCKET_CONNECTION_INIT_TIMEOUT: "1" });
    const late = await open(newer);
    const refused = await open(newer);
    refused.send({ type: "connection_init" });
    expect(await refused.closed).toEqual({ code: 4403, reason: '{"server_error_msg":"4403: Forbidden"}' });
    expect(await late.closed).toEqual({ code: 4408, reason: "Connection initialisation timed out" });
    const twice = await ready({ ...newer, headers: { "x-engine-admin-secret": "s" } });
    twice.send({ type: "connection_init" });
    expect(await twice.closed).toEqual({ code: 4429, reason: '{"server_error_msg":"4429: Too many requests"}' });
  });
});
