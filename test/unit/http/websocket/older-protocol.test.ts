import { afterEach, describe, expect, it } from "vitest";
import { begin, closeHarness, older, start } from "./harness.ts";

afterEach(closeHarness);

describe("Connections of the graphql-ws protocol", () => {
  it("A graphql-ws connection sends its messages in the order of the protocol, with the text of the service", async () => {
    const client = await (await start()).open(older);
    expect(client.ws.protocol).toBe("graphql-ws");
    expect(await client.text()).toBe('{"type":"ka"}');
    client.send({ type: "connection_init", payload: {} });
    expect(await client.text()).toBe('{"type":"connection_ack"}');
    expect(await client.text()).toBe('{"type":"ka"}');
    client.send(begin("é", 'a"b'));
    expect(await client.text()).toBe('{"type":"data","id":"a\\"b","payload":{"data":"é"}}');
    expect(await client.text()).toBe('{"type":"complete","id":"a\\"b"}');
  });

  it("A graphql-ws connection distinguishes errors before execution from errors during execution", async () => {
    const client = await (await start()).ready(older);
    client.send(begin("refuse"));
    const refused = { message: "no such field", extensions: { path: "$.x", code: "validation-failed" } };
    expect(await client.take(2)).toEqual([
      { type: "error", id: "1", payload: { errors: [refused] } },
      { type: "complete", id: "1" },
    ]);
    client.send(begin("fail"));
    const failed = { message: "database query error", extensions: { path: "$", code: "unexpected" } };
    expect(await client.take(2)).toEqual([
      { type: "data", id: "1", payload: { data: null, errors: [failed] } },
      { type: "complete", id: "1" },
    ]);
  });

  it("A graphql-ws connection stays open after an unreadable message", async () => {
    const client = await (await start()).ready(older);
    client.send({ type: "test" });
    expect(await client.next()).toEqual({
      type: "connection_error",
      payload: "parsing ClientMessage failed: unexpected type for ClientMessage: test",
    });
    client.send(begin("next"));
    expect(await client.next()).toEqual({ type: "data", id: "1", payload: { data: "next" } });
  });

  it("A graphql-ws connection sends an error and complete for an operation that starts too early or twice", async () => {
    const client = await (await start()).open(older);
    await client.next();
    const error = (message: string) => [
      { type: "error", id: "1", payload: { message, extensions: { path: "$", code: "start-failed" } } },
      { type: "complete", id: "1" },
    ];
    client.send(begin("early"));
    expect(await client.take(2)).toEqual(error("start received before the connection is initialised"));
    client.send({ type: "connection_init" });
    await client.take(2);
    client.send(begin("live"));
    await client.next();
    client.send(begin("again"));
    expect(await client.take(2)).toEqual(error("an operation already exists with this id: 1"));
  });

  it("A graphql-ws connection reports failed authentication, also for operations sent along, and closes", async () => {
    const client = await (await start({ SECRET: "s" })).open(older);
    const payload = { headers: { "X-Engine-Admin-Secret": "wrong" } };
    client.send({ type: "connection_init", payload });
    client.send(begin("along"));
    const text = "invalid x-engine-admin-secret/x-engine-access-key";
    expect(await client.rest()).toEqual([
      { type: "ka" },
      { type: "connection_error", payload: text },
      {
        type: "error",
        id: "1",
        payload: {
          message: `cannot start as connection_init failed with: ${text}`,
          extensions: { path: "$", code: "start-failed" },
        },
      },
      { type: "complete", id: "1" },
    ]);
    const { code, reason } = await client.closed;
    expect([code, JSON.parse(reason)]).toEqual([
      4400,
      { server_error_msg: `4400: Connection initialization failed: ${text}` },
    ]);
  });

  it("A graphql-ws connection closes if the client does not initialize it in time", async () => {
    const client = await (await start({ ENGINE_GRAPHQL_WEBSOCKET_CONNECTION_INIT_TIMEOUT: "1" })).open(older);
    expect(await client.closed).toEqual({ code: 1011, reason: "Connection initialisation timed out" });
  });

  it("A graphql-ws connection closes if the client initializes it twice", async () => {
    const client = await (await start()).ready(older);
    client.send({ type: "connection_init" });
    expect(await client.rest()).toEqual([{ type: "connection_error", payload: "Too many initialisation requests" }]);
    expect((await client.closed).code).toBe(4400);
  });

  it("A connection without a sub-protocol is served and sends errors in the form of its endpoint", async () => {
    const client = await (await start()).ready({ path: "/v1alpha1/graphql" });
    expect(client.ws.protocol).toBe("");
    const error = { error: "no such field", path: "$.x", code: "validation-failed" };
    client.send(begin("refuse"));
    const [response] = await client.take(2);
    expect(response).toEqual({ type: "error", id: "1", payload: { errors: [error] } });
    client.send(begin("live"));
    client.send(begin("live"));
    const duplicate = { error: "an operation already exists with this id: 1", path: "$", code: "start-failed" };
    expect((await client.take(2))[1]).toEqual({ type: "error", id: "1", payload: duplicate });
  });
});
