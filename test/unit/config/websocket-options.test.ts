import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../../runtime/config/configuration-error.ts";
import { type Environment, type Flags, parseOptions } from "../../../runtime/config/options.ts";

const variable = "ENGINE_GRAPHQL_CLOSE_WEBSOCKETS_ON_METADATA_CHANGE";
const closes = (flags: Flags, environment: Environment = {}): boolean =>
  parseOptions(flags, environment).closeWebsocketsOnMetadataChange;

describe("whether WebSockets are closed on metadata changes", () => {
  it("is said by the variable, and denied by the flag", () => {
    expect(closes({})).toBe(true);
    expect(closes({}, { [variable]: "false" })).toBe(false);
    expect(closes({}, { [variable]: "true" })).toBe(true);
    expect(closes({ disableCloseWebsocketsOnMetadataChange: true })).toBe(false);
    expect(closes({ disableCloseWebsocketsOnMetadataChange: "no" }, { [variable]: "false" })).toBe(true);
  });

  it("has to be a boolean in both places", () => {
    expect(() => closes({}, { [variable]: "1" })).toThrow(ConfigurationError);
    expect(() => closes({ disableCloseWebsocketsOnMetadataChange: "1" })).toThrow(
      "Fatal Error: Option --disable-close-websockets-on-metadata-change:  Not a valid boolean text.",
    );
  });
});

describe("the defaults for WebSockets", () => {
  it("are those of the specification", () => {
    expect(parseOptions({}, {})).toMatchObject({
      websocketKeepaliveSeconds: 5,
      websocketInitTimeoutSeconds: 3,
      websocketCompression: false,
      wsReadCookie: false,
    });
  });
});
