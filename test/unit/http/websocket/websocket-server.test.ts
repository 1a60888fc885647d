import { afterEach, describe, expect, it } from "vitest";
import { EngineError } from "../../../../runtime/values/errors.ts";
import { begin, both, closeHarness, older, start } from "./harness.ts";

afterEach(closeHarness);

describe.each(both)("WebSocket connections of $protocol", (protocol) => {
  it("A connection accepts the messages of either protocol", async () => {
    const client = await (await start()).ready(protocol);
    for (const type of ["start", "subscribe"]) {
      client.send({ type, id: type, payload: { query: "x" } });
      expect(await client.take(2)).toMatchObject([{ id: type }, { type: "complete", id: type }]);
    }
    client.send('{"type":"ping","payload":{"n":12345678901234567890}}');
    expect(await client.text()).toBe('{"type":"pong","payload":{"n":12345678901234567890}}');
    client.send({ type: "ping" });
    expect(await client.text()).toBe('{"type":"pong"}');
    client.send({ type: "pong" });
    client.send({ type: "connection_terminate" });
    expect(await client.rest()).toEqual([]);
    expect(await client.closed).toEqual({ code: 1000, reason: "" });
  });

  it("A connection handles one message after the other", async () => {
    const client = await (await start()).ready(protocol);
    client.send(begin("slow", "a"));
    client.send(begin("quick", "b"));
    client.send({ type: "ping" });
    const ids = (await client.take(5)).map((message) => (message as { id?: string }).id ?? "pong");
    expect(ids).toEqual(["a", "a", "b", "b", "pong"]);
  });

  it("The headers of connection_init take precedence over handshake headers", async () => {
    const { open } = await start({ SECRET: "s" });
    const client = await open({ ...protocol, headers: { "x-engine-admin-secret": "wrong" } });
    await client.next();
    client.send({ type: "connection_init", payload: { headers: { "X-Engine-Admin-Secret": "s" } } });
    expect(await client.next()).toEqual({ type: "connection_ack" });
  });

  it("A connection sends keep-alives", async () => {
    const client = await (await start({ ENGINE_GRAPHQL_WEBSOCKET_KEEPALIVE: "1" })).open(protocol);
    const [first, second] = await client.take(2);
    expect(second).toEqual(first);
  });

  it("A connection delivers a subscription's results until the subscription is stopped", async () => {
    const { running, ready } = await start();
    const client = await ready(protocol);
    const type = protocol === older ? "data" : "next";
    client.send(begin("live", "s"));
    expect(await client.next()).toEqual({ type, id: "s", payload: { data: "first" } });
    running[0]?.sink.error(new EngineError("unexpected", "$", "database query error", { internal: "secret" }));
    const error = { message: "database query error", extensions: { path: "$", code: "unexpected" } };
    expect(await client.next()).toEqual({ type, id: "s", payload: { data: null, errors: [error] } });
    running[0]?.sink.next('"second"');
    expect(await client.next()).toEqual({ type, id: "s", payload: { data: "second" } });
    client.send({ type: "stop", id: "unknown" });
    client.send({ type: "complete", id: "s" });
    client.send({ type: "ping" });
    expect(await client.next()).toEqual({ type: "pong" });
    expect(running[0]?.isStopped).toBe(true);
    running[0]?.sink.next('"late"');
    running[0]?.sink.complete();
    // The id can be reused.
    client.send(begin("live", "s"));
    expect(await client.next()).toEqual({ type, id: "s", payload: { data: "first" } });
    running[1]?.sink.complete();
    expect(await client.next()).toEqual({ type: "complete", id: "s" });
  });

  it("A connection stops its subscriptions when the client disconnects", async () => {
    const { running, ready } = await start();
    const client = await ready(protocol);
    client.send(begin("live"));
    await client.next();
    client.ws.terminate();
    await expect.poll(() => running[0]?.isStopped).toBe(true);
  });

  it("A connection stops a subscription whose first result arrives after the client has disconnected", async () => {
    const { running, events, ready } = await start();
    const client = await ready(protocol);
    client.send(begin("late", "s"));
    await expect.poll(events).toContainEqual(["s", { type: "started" }]);
    client.ws.terminate();
    await expect.poll(events).toContainEqual(["s", { type: "stopped" }]);
    await expect.poll(() => running[0]?.isStopped).toBe(true);
  });

  it("A closing server finishes the operation in progress", async () => {
    const { websockets, running, events, ready } = await start();
    const client = await ready(protocol);
    client.send(begin("live", "a"));
    await client.next();
    client.send(begin("slow", "b"));
    client.send(begin("waits", "c"));
    client.send({ type: "ping" });
    await expect.poll(events).toContainEqual(["b", { type: "started" }]);
    websockets.metadataChanged();
    expect(running[0]?.isStopped).toBe(true);
    expect((await client.rest()).map((message) => (message as { id: string }).id)).toEqual(["b", "b"]);
    expect(await client.closed).toEqual({ code: 1012, reason: "Server state changed, restarting the server" });
  });

  it("An internal error is logged and hidden from the client", async () => {
    const { log, ready } = await start();
    const client = await ready(protocol);
    client.send(begin("bug"));
    expect(JSON.stringify(await client.next())).toContain('"message":"Internal Server Error"');
    expect(log.join("")).toContain("a mistake");
  });
});

describe("The log of WebSocket connections", () => {
  it("The log records the events of a connection without the text of operations", async () => {
    const started = await start();
    const client = await started.ready(older);
    client.send(begin("hidden"));
    await client.take(2);
    client.send(begin("refuse", "2"));
    await client.take(2);
    client.send(begin("live", "3"));
    client.send(begin("twice", "3"));
    client.send({ type: "stop", id: "3" });
    client.send({ type: "odd" });
    client.send({ type: "connection_terminate" });
    await client.closed;
    await expect.poll(() => started.events().at(-1)).toBe("closed");
    const error = { error: "no such field", path: "$.x", code: "validation-failed", internal: "secret" };
    expect(started.events()).toEqual([
      "accepted",
      ["1", { type: "started" }],
      ["1", { type: "completed" }],
      ["2", { type: "started" }],
      ["2", { type: "query_err", detail: error }],
      ["3", { type: "started" }],
      ["3", { type: "proto_err", detail: "an operation already exists with this id: 3" }],
      ["3", { type: "stopped" }],
      "conn_err",
      "closed",
    ]);
    expect(started.log.join("")).not.toContain("hidden");
    expect(JSON.parse(started.log[1] ?? "")).toMatchObject({
      type: "websocket-log",
      level: "info",
      detail: {
        connection_info: { websocket_id: expect.stringMatching(/^[0-9a-f-]{36}$/), token_expiry: null, msg: null },
        user_vars: { "x-engine-role": "admin" },
      },
    });
  });
});
