import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseProtocol, serverError } from "../../../../runtime/http/websocket/protocol.ts";
import { anyText } from "../../../support/any-text.ts";

describe("the sub-protocol", () => {
  it.each([
    ["graphql-transport-ws", "graphql-transport-ws"],
    ["graphql-ws", "graphql-ws"],
    ["something, graphql-transport-ws", "graphql-ws"],
    ["soap", "graphql-ws"],
    [undefined, "graphql-ws"],
  ])("asked for as %s is %s", (requested, chosen) => {
    expect(chooseProtocol(requested).name).toBe(chosen);
  });
});

describe("the reason for closing", () => {
  it("is JSON with the code and the text", () => {
    expect(serverError(4403, "Forbidden")).toEqual({ code: 4403, reason: '{"server_error_msg":"4403: Forbidden"}' });
  });

  it("fits into a close frame and begins with the text, whatever the text is", () => {
    const texts = anyText({ maxLength: 300 });
    fc.assert(
      fc.property(texts, (text) => {
        const { reason } = serverError(4400, text);
        expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(123);
        const { server_error_msg: shown } = JSON.parse(reason) as { server_error_msg: string };
        expect(shown.startsWith("4400: ")).toBe(true);
        expect(text.startsWith(shown.slice("4400: ".length))).toBe(true);
        // Nothing is cut from a text that fits.
        if (Buffer.byteLength(JSON.stringify(text)) < 90) expect(shown).toBe(`4400: ${text}`);
      }),
    );
  });
});
