import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { parseHttpUrl } from "../../../runtime/config/http-url.ts";
import { parseOptions } from "../../../runtime/config/options.ts";

describe("Parsing of HTTP URLs", () => {
  it("parseHttpUrl keeps the URL without its fragment and shows it without its query string", () => {
    const parsed = parseHttpUrl("https://hook.test:8443/auth?code=secret#x");
    if ("problem" in parsed) throw new Error(parsed.problem);
    expect(parsed.value.reveal()).toBe("https://hook.test:8443/auth?code=secret");
    const shown = "https://hook.test:8443/auth?<redacted>";
    expect([`${parsed.value}`, JSON.stringify(parsed.value), inspect({ url: parsed.value })]).toEqual([
      shown,
      JSON.stringify(shown),
      `{ url: ${shown} }`,
    ]);
  });

  it.each(["", "hook", "//hook.test", "ftp://hook.test", "http://", "http://user:secret@hook.test"])(
    "parseHttpUrl refuses %j without quoting it",
    (text) => {
      expect(parseHttpUrl(text)).toEqual({ problem: expect.not.stringContaining("secret") });
    },
  );
});

describe("Options of the authentication webhook", () => {
  it("The authentication webhook options have defaults and accept methods in any case", () => {
    expect(parseOptions({}, {})).toMatchObject({ authHook: null, authHookMode: "get", authHookSendRequestBody: true });
    const environment = { ENGINE_GRAPHQL_AUTH_HOOK_MODE: "POST", ENGINE_GRAPHQL_AUTH_HOOK_SEND_REQUEST_BODY: "false" };
    expect(parseOptions({}, environment)).toMatchObject({ authHookMode: "post", authHookSendRequestBody: false });
    expect(() => parseOptions({ authHookMode: "PUT" }, {})).toThrow("option --auth-hook-mode: ");
  });
});
