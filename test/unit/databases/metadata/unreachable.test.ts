import { DatabaseError } from "pg";
import { describe, expect, it } from "vitest";
import { asUnreachable } from "../../../../runtime/databases/metadata/metadata-database.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";

function refusal(code: string): DatabaseError {
  const error = new DatabaseError("said by the server", 0, "error");
  error.code = code;
  return error;
}

describe("Errors of the metadata database", () => {
  it.each([
    ["of the driver", new Error("Connection terminated unexpectedly"), "Connection terminated unexpectedly"],
    ["of all addresses of a host", new AggregateError([new Error("one"), new Error("two")]), "one; two"],
    ["of a server that shuts down", refusal("57P01"), "said by the server"],
    ["of a server without free connections", refusal("53300"), "said by the server"],
  ])(
    "An error %s is reported as an unreachable metadata database, with details only as internal",
    (_what, error, internal) => {
      expect(asUnreachable(error)).toMatchObject({
        code: "postgres-error",
        message: "the metadata database cannot be reached",
        status: 500,
        internal,
        cause: error,
      });
    },
  );

  it.each([
    ["about a statement", refusal("42P01")],
    ["of the engine itself", new TypeError("x is not a function")],
    ["that already has a code", new EngineError("conflict", "$", "somebody was first")],
    ["that is not an Error", "text"],
  ])("An error %s is left unchanged", (_what, error) => expect(asUnreachable(error)).toBe(error));
});
