import { describe, expect, it } from "vitest";
import { type HookReply, readHookReply } from "../../../../../runtime/http/auth/webhook/open-webhook.ts";

const now = Date.UTC(2026, 10, 20, 12);

function read(body: unknown, reply: Partial<HookReply> = {}) {
  const warnings: string[] = [];
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const session = readHookReply(
    { status: 200, headers: {}, text, ...reply },
    { now, alias: null, warn: (message) => warnings.push(message) },
  );
  return { ...session, variables: Object.fromEntries(session.variables), warnings };
}

const invalid = (message: string) => ({ code: "unexpected", path: "$", status: 500, message });

describe("Sessions from the authentication webhook", () => {
  it("A session contains the session variables of the reply regardless of the case of their names", () => {
    const reply = { "X-Engine-Role": "user", "x-engine-USER-id": "1", "X-Engine-Admin-Secret": "s", other: "x" };
    expect(read(reply)).toEqual({
      role: "user",
      variables: { "x-engine-role": "user", "x-engine-user-id": "1" },
      backendOnly: false,
      setCookies: [],
      warnings: [],
    });
  });

  it.each([{}, { "x-engine-role": "" }, { role: "user" }])("A reply without a role is refused: %j", (reply) => {
    expect(() => read(reply)).toThrow(
      expect.objectContaining({
        code: "invalid-params",
        path: "$",
        status: 400,
        message: "x-engine-role not found in session variables",
      }),
    );
  });

  it("A session contains the cookies of the reply", () => {
    const role = { "x-engine-role": "user" };
    expect(read(role, { headers: { "set-cookie": "a=b" } }).setCookies).toEqual(["a=b"]);
    expect(read(role, { headers: { "set-cookie": ["a=b", "c=d"] } }).setCookies).toEqual(["a=b", "c=d"]);
  });
});

describe("The end of a session from the authentication webhook", () => {
  const end = (members: Record<string, string>) => {
    const { expiresAt, warnings } = read({ "x-engine-role": "user", ...members });
    return [expiresAt === undefined ? null : (expiresAt - now) / 1000, warnings.length];
  };
  const soon = "Fri, 20 Nov 2026 12:00:06 GMT";

  it.each([
    [{}, [null, 0]],
    [{ "Cache-Control": "max-age=6" }, [6, 0]],
    [{ "Cache-Control": "private, max-age=6", Expires: soon }, [6, 0]],
    [{ Expires: soon }, [6, 0]],
    [{ "cache-control": "max-age=6", expires: soon }, [null, 0]],
    [{ "Cache-Control": "maxage=3" }, [null, 1]],
    [{ "Cache-Control": "maxage=3", Expires: "Fri, 20 11 2026 17:57:12 UTC" }, [null, 2]],
    [{ "Cache-Control": "maxage=3", Expires: soon }, [6, 1]],
  ])("The session's end follows the cache headers of the reply: %j", (members, expected) => {
    expect(end(members)).toEqual(expected);
  });
});

describe("Refusals by the authentication webhook", () => {
  it("Status 401 of the authentication webhook is returned to the client as access-denied", () => {
    const error = {
      code: "access-denied",
      path: "$",
      status: 401,
      message: "Authentication hook unauthorized this request",
    };
    expect(() => read({}, { status: 401 })).toThrow(expect.objectContaining(error));
  });

  it.each([201, 204, 301, 302, 400, 403, 404, 500])(
    "Status %i of the authentication webhook is reported as an invalid response",
    (status) => {
      const error = invalid("Invalid response from authorization hook");
      expect(() => read({ "x-engine-role": "admin" }, { status })).toThrow(expect.objectContaining(error));
    },
  );

  it.each([
    [{ "x-engine-role": "user", x: 1 }, "parsing Text failed, expected String, but encountered Number"],
    [{ "x-engine-role": ["user"] }, "parsing Text failed, expected String, but encountered Array"],
    [{ "x-engine-role": "user", x: null }, "parsing Text failed, expected String, but encountered Null"],
    [["x"], "parsing Object failed, expected Object, but encountered Array"],
    ['{"x-engine-role": "user", "__proto__": "x"}', 'the key "__proto__" is not allowed'],
    ["", "Unexpected end of JSON input"],
  ])("A reply that is not an object of strings is reported as an invalid response: %j", (reply, reason) => {
    const error = invalid(`Invalid response from authorization hook: ${reason}`);
    expect(() => read(reply)).toThrow(expect.objectContaining(error));
  });

  it("An error about a reply does not quote it", () => {
    expect(() => read("secret!")).toThrow(expect.objectContaining({ message: expect.not.stringContaining("secret") }));
  });
});
