import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseProtocol, serverError } from "../../../../runtime/http/websocket/protocol.ts";
import { anyText } from "../../../support/any-text.ts";

describe("Choice of the WebSocket sub-protocol", () => {
  it.each([
    ["graphql-transport-ws", "graphql-transport-ws"],
    ["graphql-ws", "graphql-ws"],
    ["something, graphql-transport-ws", "graphql-ws"],
    ["soap", "graphql-ws"],
    [undefined, "graphql-ws"],
  ])("A request for the sub-protocol %s selects %s", (requested, chosen) => {
    expect(chooseProtocol(requested).name).toBe(chosen);
  });
});

describe("WebSocket close reasons", () => {
  it("A close reason is JSON with the code and the text", () => {
    expect(serverError(4403, "Forbidden")).toEqual({ code: 4403, reason: '{"server_error_msg":"4403: Forbidden"}' });
  });

  it("A close reason fits into a close frame and begins with the text, for any text", () => {
    const texts = anyText({ maxLength: 300 });
    fc.assert(
      fc.property(texts, (text) => {
        const { reason } = serverError(4400, text);
        expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(123);
        const { server_error_msg: shown } = JSON.parse(reason) as { server_error_msg: string };
        expect(shown.startsWith("4400: ")).toBe(true);
        expect(text.startsWith(shown.slice("4400: ".length))).toBe(true);
        // A text that fits is not truncated.
        if (Buffer.byteLength(JSON.stringify(text)) < 90) expect(shown).toBe(`4400: ${text}`);
      }),
    );
  });
});
