import { describe, expect, it } from "vitest";
import { readClientMessage } from "../../../../runtime/http/websocket/client-message.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";
import { parseJson } from "../../../../runtime/values/json/parse.ts";
import { JsonNumber } from "../../../../runtime/values/json-number.ts";

const read = (message: unknown) => readClientMessage(parseJson(JSON.stringify(message)), () => undefined);

describe("WebSocket client messages", () => {
  it.each(["start", "subscribe"])("A message of type %s starts an operation", (type) => {
    const payload = { query: "{ a }", variables: { b: 1 }, operationName: "C", extensions: {} };
    expect(read({ type, id: "1", payload })).toEqual({
      kind: "start",
      id: "1",
      request: { query: "{ a }", variables: { b: 1 }, operationName: "C" },
    });
  });

  it.each(["stop", "complete"])("A message of type %s stops an operation", (type) => {
    expect(read({ type, id: "1" })).toEqual({ kind: "stop", id: "1" });
  });

  it("A client message keeps the digits of numbers", () => {
    const message = readClientMessage(
      parseJson('{"type":"start","id":"1","payload":{"query":"{ a }","variables":{"n":12345678901234567890}}}'),
      () => undefined,
    );
    expect(message).toMatchObject({ request: { variables: { n: new JsonNumber("12345678901234567890") } } });
  });

  it("A client message with a persisted query carries its own error", () => {
    const message = read({ type: "start", id: "1", payload: { extensions: { persistedQuery: {} } } });
    expect(message).toMatchObject({ request: expect.any(EngineError) });
  });

  it.each([
    [{}, 'key "type" not found'],
    [[], "parsing ClientMessage failed, expected Object, but encountered Array"],
    [{ type: 1 }, "parsing Text failed, expected String, but encountered Number"],
    [{ type: "test" }, "unexpected type for ClientMessage: test"],
    [{ type: "stop" }, 'key "id" not found'],
    [{ type: "stop", id: 1 }, "parsing Text failed, expected String, but encountered Number"],
    [{ type: "start", id: "1" }, 'key "payload" not found'],
    [{ type: "start", id: "1", payload: {} }, 'key "query" not found'],
    [{ type: "start", id: "1", payload: [] }, "parsing Object failed, expected Object, but encountered Array"],
    [
      { type: "connection_init", payload: { headers: [] } },
      "parsing Object failed, expected Object, but encountered Array",
    ],
    [
      { type: "connection_init", payload: { headers: { "x-a": 1 } } },
      "parsing Text failed, expected String, but encountered Number",
    ],
  ])("The client message %j is refused", (message, problem) => {
    expect(() => read(message)).toThrow(problem);
  });

  it("A client message that is not an object is refused", () => {
    expect(() => readClientMessage("{", () => undefined)).toThrow(EngineError);
  });
});

describe("Headers of connection_init", () => {
  const headers = (payload: unknown) => {
    const message = read({ type: "connection_init", payload });
    return message.kind === "init" ? { ...message.headers } : null;
  };

  it("The headers of connection_init are optional", () => {
    for (const payload of [undefined, null, {}, { headers: null }, { token: 1 }]) expect(headers(payload)).toEqual({});
  });

  it("Header names of connection_init are lower-cased, the first of equal names counts, and values have one character per byte", () => {
    expect(headers({ headers: { "X-Engine-Role": "é", "x-engine-role": "b", Cookie: "c" } })).toEqual({
      "x-engine-role": "Ã©",
      cookie: "c",
    });
  });
});
