import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../../runtime/config/configuration-error.ts";
import { type Environment, type Flags, parseOptions } from "../../../runtime/config/options.ts";

const variable = "ENGINE_GRAPHQL_CLOSE_WEBSOCKETS_ON_METADATA_CHANGE";
const closes = (flags: Flags, environment: Environment = {}): boolean =>
  parseOptions(flags, environment).closeWebsocketsOnMetadataChange;

describe("Closing of WebSockets on metadata changes", () => {
  it("WebSockets close on metadata changes if the variable is true, and the flag disables it", () => {
    expect(closes({})).toBe(true);
    expect(closes({}, { [variable]: "false" })).toBe(false);
    expect(closes({}, { [variable]: "true" })).toBe(true);
    expect(closes({ disableCloseWebsocketsOnMetadataChange: true })).toBe(false);
    expect(closes({ disableCloseWebsocketsOnMetadataChange: "no" }, { [variable]: "false" })).toBe(true);
  });

  it("The setting to close WebSockets must be a boolean in the variable and the flag", () => {
    expect(() => closes({}, { [variable]: "1" })).toThrow(ConfigurationError);
    expect(() => closes({ disableCloseWebsocketsOnMetadataChange: "1" })).toThrow(
      "option --disable-close-websockets-on-metadata-change: expected true or false",
    );
  });
});

describe("WebSocket defaults", () => {
  it("The WebSocket options have the documented defaults", () => {
    expect(parseOptions({}, {})).toMatchObject({
      websocketKeepaliveSeconds: 5,
      websocketInitTimeoutSeconds: 3,
      websocketCompression: false,
      wsReadCookie: false,
    });
  });
});
