import { DatabaseError } from "pg";
import { describe, expect, it } from "vitest";
import { unreachedOr } from "../../../../runtime/databases/metadata/unreached.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";

function refusal(code: string): DatabaseError {
  const error = new DatabaseError("said by the server", 0, "error");
  error.code = code;
  return error;
}

describe("an error of the metadata database", () => {
  it.each([
    ["of the driver", new Error("Connection terminated unexpectedly"), "Connection terminated unexpectedly"],
    ["of all addresses of a host", new AggregateError([new Error("one"), new Error("two")]), "one; two"],
    ["of a server that shuts down", refusal("57P01"), "said by the server"],
    ["of a server that takes no more connections", refusal("53300"), "said by the server"],
  ])("%s is one that cannot be reached, for which only administrators get the words", (_what, error, internal) => {
    expect(unreachedOr(error)).toMatchObject({
      code: "postgres-error",
      message: "the metadata database cannot be reached",
      status: 500,
      internal,
      cause: error,
    });
  });

  it.each([
    ["about a statement", refusal("42P01")],
    ["of a mistake of ours", new TypeError("x is not a function")],
    ["that has a code already", new EngineError("conflict", "$", "somebody was first")],
    ["that is none", "text"],
  ])("%s stays what it is", (_what, error) => expect(unreachedOr(error)).toBe(error));
});
