import { describe, expect, it } from "vitest";
import { renderError, renderGraphqlError, showsInternal } from "../../../runtime/values/error-body.ts";
import { EngineError } from "../../../runtime/values/errors.ts";
import { JsonNumber } from "../../../runtime/values/json-number.ts";
import type { Session } from "../../../runtime/values/session.ts";

const error = new EngineError("not-exists", "$.args", 'table "t" does not exist', {
  internal: { statement: "select 1", arguments: [new JsonNumber("9223372036854775807")] },
});

describe("Error bodies", () => {
  it("Error bodies have their keys in the documented order", () => {
    expect(renderError(error, true)).toBe(
      '{"error":"table \\"t\\" does not exist","path":"$.args","code":"not-exists",' +
        '"internal":{"statement":"select 1","arguments":[9223372036854775807]}}',
    );
    expect(renderGraphqlError(error, true)).toBe(
      '{"errors":[{"message":"table \\"t\\" does not exist","extensions":{"path":"$.args","code":"not-exists",' +
        '"internal":{"statement":"select 1","arguments":[9223372036854775807]}}}]}',
    );
  });

  it("Error bodies omit internal details if they are hidden", () => {
    expect(renderError(error, false)).toBe(
      '{"error":"table \\"t\\" does not exist","path":"$.args","code":"not-exists"}',
    );
    expect(renderGraphqlError(error, false)).not.toContain("internal");
  });

  it("Error bodies have no internal member if the error has none", () => {
    expect(renderError(new EngineError("unexpected", "$", "x"), true)).toBe(
      '{"error":"x","path":"$","code":"unexpected"}',
    );
  });
});

describe("Visibility of internal details", () => {
  const session = (role: string): Session => ({ role, variables: new Map(), backendOnly: false });

  it.each([
    ["admin", false, true, true],
    ["admin", false, false, false],
    ["user", false, true, false],
    ["user", true, false, true],
    ["admin", true, false, true],
    [null, true, true, false],
  ])(
    "Internal details for role %s, development mode %s and admin errors %s are shown: %s",
    (role, devMode, adminInternalErrors, shown) => {
      expect(showsInternal({ devMode, adminInternalErrors }, role === null ? null : session(role))).toBe(shown);
    },
  );
});
