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
const kept = { host: "a.org", origin: "https://a.org", "x-engine-role": "user" };

const read = (environment: Record<string, string>) => {
  const handshake = readHandshake("/v1/graphql", request, parseOptions({}, environment), null);
  return handshake.kind === "accepted" ? { headers: handshake.headers, isNoted: handshake.note !== null } : null;
};

describe("the headers of a handshake", () => {
  it("count without those of the handshake itself", () => {
    expect(read({})).toEqual({ headers: { ...kept, cookie: "session=1" }, isNoted: false });
  });

  it("count without the cookie where CORS is disabled, unless the settings say otherwise", () => {
    const disabled = { ENGINE_GRAPHQL_DISABLE_CORS: "true" };
    expect(read(disabled)).toEqual({ headers: kept, isNoted: true });
    expect(read({ ...disabled, ENGINE_GRAPHQL_WS_READ_COOKIE: "true" })).toEqual({
      headers: { ...kept, cookie: "session=1" },
      isNoted: false,
    });
  });
});

describe("a handshake", () => {
  it("says which schema the operations are for", () => {
    expect(readHandshake("/v1/graphql", request, parseOptions({}, {}), null)).toMatchObject({ api: "graphql" });
    expect(readHandshake("/v1beta1/relay", request, parseOptions({}, {}), null)).toMatchObject({ api: "relay" });
  });

  it("for the Relay schema is refused where that is switched off, as over HTTP", () => {
    const options = parseOptions({}, { ENGINE_GRAPHQL_ENABLE_RELAY: "false" });
    expect(readHandshake("/v1beta1/relay", request, options, null)).toMatchObject({
      kind: "rejected",
      error: { status: 400, code: "not-supported" },
      body: '{"error":"The Relay API is disabled. To enable it, set the ENGINE_GRAPHQL_ENABLE_RELAY environment variable to \'true\'.","path":"$","code":"not-supported"}',
    });
  });
});
