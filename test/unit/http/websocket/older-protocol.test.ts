import { afterEach, describe, expect, it } from "vitest";
import { begin, closeHarness, older, start } from "./harness.ts";

afterEach(closeHarness);

describe("a connection of the older protocol", () => {
  it("sends what it has to in this order, and the same text as the service", async () => {
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

  it("tells errors before and during execution apart", async () => {
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

  it("stays open after a message that it cannot read", async () => {
    const client = await (await start()).ready(older);
    client.send({ type: "test" });
    expect(await client.next()).toEqual({
      type: "connection_error",
      payload: "parsing ClientMessage failed: unexpected type for ClientMessage: test",
    });
    client.send(begin("next"));
    expect(await client.next()).toEqual({ type: "data", id: "1", payload: { data: "next" } });
  });

  it("answers what starts too early, or twice, with an error and complete", async () => {
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

  it("says why authentication failed, also to what was sent along, and closes", async () => {
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

  it("closes a client that does not initialise it", async () => {
    const client = await (await start({ ENGINE_GRAPHQL_WEBSOCKET_CONNECTION_INIT_TIMEOUT: "1" })).open(older);
    expect(await client.closed).toEqual({ code: 1011, reason: "Connection initialisation timed out" });
  });

  it("closes a client that initialises it twice", async () => {
    const client = await (await start()).ready(older);
    client.send({ type: "connection_init" });
    expect(await client.rest()).toEqual([{ type: "connection_error", payload: "Too many initialisation requests" }]);
    expect((await client.closed).code).toBe(4400);
  });

  it("serves clients that ask for no sub-protocol, and shows errors in the form of the endpoint", async () => {
    const client = await (await start()).ready({ path: "/v1alpha1/graphql" });
    expect(client.ws.protocol).toBe("");
    const error = { error: "no such field", path: "$.x", code: "validation-failed" };
    client.send(begin("refuse"));
    const [answer] = await client.take(2);
    expect(answer).toEqual({ type: "error", id: "1", payload: { errors: [error] } });
    client.send(begin("live"));
    client.send(begin("live"));
    const duplicate = { error: "an operation already exists with this id: 1", path: "$", code: "start-failed" };
    expect((await client.take(2))[1]).toEqual({ type: "error", id: "1", payload: duplicate });
  });
});
