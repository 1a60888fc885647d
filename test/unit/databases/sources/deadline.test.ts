/** The time limit of an operation whose statement fails when the time is over. */
import { describe, expect, it } from "vitest";
import { cancelledError } from "../../../../runtime/databases/sources/cancelled-error.ts";
import { Deadline } from "../../../../runtime/databases/sources/deadline.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";

describe("Statements that exceed the time limit of their operation", () => {
  it.each([
    ["it got no connection before", cancelledError()],
    ["the database cancelled it", new EngineError("unexpected", "$", "database query error", { status: 500 })],
  ])("A statement fails with the error of the time limit if %s", (_, error) => {
    expect(new Deadline(0).explain(error)).toMatchObject({ code: "time-limit-exceeded" });
  });

  it("A statement keeps its own error before the time limit and if the database refused it", () => {
    const cancelled = cancelledError();
    expect(new Deadline(60_000).explain(cancelled)).toBe(cancelled);
    const refused = new EngineError("constraint-violation", "$", "a duplicate", { status: 400 });
    expect(new Deadline(0).explain(refused)).toBe(refused);
  });
});
