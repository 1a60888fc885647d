/** The time limit of an operation, where its statement fails in the moment that the time is over. */
import { describe, expect, it } from "vitest";
import { cancelledError } from "../../../../runtime/databases/sources/cancelled-error.ts";
import { Deadline } from "../../../../runtime/databases/sources/deadline.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";

describe("a statement that fails when the time of its operation is over", () => {
  it.each([
    ["it got no connection before", cancelledError()],
    ["the database cancelled it", new EngineError("unexpected", "$", "database query error", { status: 500 })],
  ])("fails with the error of the limit where %s", (_, error) => {
    expect(new Deadline(0).explain(error)).toMatchObject({ code: "time-limit-exceeded" });
  });

  it("keeps its own error before that, and where the database refused it", () => {
    const cancelled = cancelledError();
    expect(new Deadline(60_000).explain(cancelled)).toBe(cancelled);
    const refused = new EngineError("constraint-violation", "$", "a duplicate", { status: 400 });
    expect(new Deadline(0).explain(refused)).toBe(refused);
  });
});
