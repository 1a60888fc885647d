import { describe, expect, it } from "vitest";
import { parseOptions } from "../../../../runtime/config/options.ts";
import { readHandshake } from "../../../../runtime/http/websocket/handshake.ts";

const request = {
  host: "a.org",
  cookie: "session=1",
  origin: "https://a.org",
  upgrade: "websocket",
  connection: "Upgrade",
  "sec-websocket-key": "x",
  "sec-websocket-version": "13",
  "x-engine-role": "user",
};
const received = { host: "a.org", origin: "https://a.org", "x-engine-role": "user" };

const read = (environment: Record<string, string>) => {
  const handshake = readHandshake("/v1/graphql", request, parseOptions({}, environment), null);
  return handshake.kind === "accepted" ? { headers: handshake.headers, isNoted: handshake.note !== null } : null;
};

describe("Headers of a WebSocket handshake", () => {
  it("Handshake headers exclude the headers of the handshake itself", () => {
    expect(read({})).toEqual({ headers: { ...received, cookie: "session=1" }, isNoted: false });
  });

  it("Handshake headers exclude the cookie if CORS is disabled, unless the settings include it", () => {
    const disabled = { ENGINE_GRAPHQL_DISABLE_CORS: "true" };
    expect(read(disabled)).toEqual({ headers: received, isNoted: true });
    expect(read({ ...disabled, ENGINE_GRAPHQL_WS_READ_COOKIE: "true" })).toEqual({
      headers: { ...received, cookie: "session=1" },
      isNoted: false,
    });
  });
});

describe("WebSocket handshakes", () => {
  it("The path of a handshake selects the schema of its operations", () => {
    expect(readHandshake("/v1/graphql", request, parseOptions({}, {}), null)).toMatchObject({ api: "graphql" });
    expect(readHandshake("/v1beta1/relay", request, parseOptions({}, {}), null)).toMatchObject({ api: "relay" });
  });

  it("A handshake for the Relay schema is refused if Relay is disabled, as over HTTP", () => {
    const options = parseOptions({}, { ENGINE_GRAPHQL_ENABLE_RELAY: "false" });
    expect(readHandshake("/v1beta1/relay", request, options, null)).toMatchObject({
      kind: "rejected",
      error: { status: 400, code: "not-supported" },
      body: '{"error":"The Relay API is disabled. To enable it, set the ENGINE_GRAPHQL_ENABLE_RELAY environment variable to \'true\'.","path":"$","code":"not-supported"}',
    });
  });
});
