/** Decoding of tokens and of pasted headers in the console. */
import { describe, expect, it } from "vitest";
import { problemOf, readHeaderLines } from "../../../runtime/console/pages/api/header-lines.ts";
import { decodeToken, sessionAtAny, timeOf } from "../../../runtime/console/pages/api/token.ts";

const base64url = (value: unknown): string => {
  const binary = String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value)));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};

const compact = (claims: unknown): string => `${base64url({ alg: "HS256" })}.${base64url(claims)}.c2ln`;

const namespace = "https://engine.io/jwt/claims";
const own = {
  "X-Engine-Default-Role": "editor",
  "x-engine-allowed-roles": ["editor", "reader"],
  "x-engine-user-id": "ünï <script>",
};
const session = {
  defaultRole: "editor",
  allowedRoles: ["editor", "reader"],
  variables: { "x-engine-user-id": "ünï <script>" },
};
const at = (claims_namespace: string, claims_format = "json") => ({
  claims_namespace,
  claims_format,
  claims_map: null,
});

describe("Decoding tokens", () => {
  it("A token is decoded with its times, also from a header line and with quotes", () => {
    for (const text of [
      compact({ exp: 1 }),
      `Authorization: Bearer ${compact({ exp: 1 })}`,
      `"${compact({ exp: 1 })}"\n`,
    ]) {
      const decoded = decodeToken(text);
      expect(decoded.header).toEqual({ alg: "HS256" });
      expect(decoded.text).toBe(compact({ exp: 1 }));
      expect(timeOf(decoded, "exp")).toEqual(new Date(1000));
      expect(timeOf(decoded, "nbf")).toBeNull();
    }
  });

  it("A time that is not a number is ignored", () => {
    for (const exp of ["soon", 1e300, null]) expect(timeOf(decodeToken(compact({ exp })), "exp")).toBeNull();
  });

  it.each([
    ["a.b", /three parts/],
    ["a..c", /three parts/],
    ["a.b.c.d.e", /encrypted/],
    ["%%.e30.c", /header is not JSON/],
    [`${base64url({})}.${base64url([1])}.c`, /claims is not a JSON object/],
    [`${"x".repeat(70_000)}.e30.c`, /longer than/],
  ])("The text %s is refused with the reason", (text, reason) => {
    expect(() => decodeToken(text)).toThrow(reason);
  });

  it("Roles and session variables are read in the default namespace", () => {
    expect(sessionAtAny(decodeToken(compact({ [namespace]: own })), [])).toEqual(session);
  });

  it("Roles and session variables are read where the server reads them", () => {
    const cases = [
      [{ app: own }, at("app")],
      [{ a: { "b c": [own] } }, at("$.a['b c'][0]")],
      [{ ...own }, at("$")],
      [{ app: JSON.stringify(own) }, at("app", "stringified_json")],
    ] as const;
    for (const [claims, location] of cases) {
      expect(sessionAtAny(decodeToken(compact(claims)), [at("other"), location])).toEqual(session);
    }
  });

  it("A claims map has values, paths and defaults", () => {
    const claims_map = {
      "x-engine-default-role": "editor",
      "x-engine-allowed-roles": { path: "$.roles" },
      "x-engine-user-id": { path: "$.sub" },
      "x-engine-org": { path: "$.org", default: "none" },
    };
    const token = decodeToken(compact({ sub: "7", roles: ["editor"] }));
    expect(sessionAtAny(token, [{ ...at("unused"), claims_map }])).toEqual({
      defaultRole: "editor",
      allowedRoles: ["editor"],
      variables: { "x-engine-user-id": "7", "x-engine-org": "none" },
    });
  });

  it.each([
    [{}, /no claims at https:\/\/engine.io/],
    [{ [namespace]: "text" }, /not a JSON object/],
    [{ [namespace]: { ...own, "x-engine-allowed-roles": "editor" } }, /x-engine-allowed-roles/],
    [{ [namespace]: { ...own, "x-engine-age": 7 } }, /x-engine-age is not a string/],
  ])("Claims %j are refused with the reason", (claims, reason) => {
    expect(() => sessionAtAny(decodeToken(compact(claims)), [])).toThrow(reason);
  });
});

describe("Pasted headers", () => {
  it("Lines with colons, and the members of a JSON object, become headers", () => {
    const expected = [
      { name: "X-Engine-User-Id", value: "1" },
      { name: "x-engine-org", value: "a: b" },
    ];
    expect(readHeaderLines("X-Engine-User-Id: 1\r\n\r\n  x-engine-org: a: b")).toEqual(expected);
    expect(readHeaderLines('{\n  "X-Engine-User-Id": "1",\n  "x-engine-org": "a: b"\n}')).toEqual(expected);
  });

  it("A text with any other line is not read", () => {
    for (const text of ["", "hello", "X-Engine-User-Id: 1\nand more", "na me: 1", "a: 1\n".repeat(101)]) {
      expect(readHeaderLines(text)).toBeNull();
    }
  });

  it("Names and values that browsers refuse, and repeated names, are problems", () => {
    const row = (name: string, value: string) => ({ name, value });
    expect(problemOf(row("", ""), [])).toBeNull();
    expect(problemOf(row("x-engine-user-id", "é"), [])).toBeNull();
    expect(problemOf(row("", "1"), [])).toMatch(/name/);
    expect(problemOf(row("na me", "1"), [])).toMatch(/letters/);
    expect(problemOf(row("x", "日本"), [])).toMatch(/Latin/);
    expect(problemOf(row("x", "a\nb"), [])).toMatch(/Line breaks/);
    expect(problemOf(row("X", "1"), [row("x", "2")])).toMatch(/twice/);
  });
});
