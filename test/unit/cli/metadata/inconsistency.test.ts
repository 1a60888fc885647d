import { describe, expect, it } from "vitest";
import type { Json } from "../../../../compiler/catalog/model.ts";
import { inconsistencyList } from "../../../../runtime/cli/metadata/inconsistency.ts";
import { problemLines } from "../../../../runtime/cli/problem.ts";
import { printable } from "../../../../runtime/cli/project/output.ts";

describe("A server's inconsistent objects", () => {
  it.each([
    [{ name: "table t in source s", type: "table", definition: {}, reason: "gone" }, "table t in source s: gone"],
    [{ objects: [{ name: "a" }, { name: "b" }], reason: "conflict" }, "a, b: conflict"],
    [
      { definitions: [1, 2], type: "table", reason: "Multiple definitions for: t" },
      "table: Multiple definitions for: t",
    ],
    [{ conflicts: [1, 2], reason: "Ambiguous URL paths" }, "metadata: Ambiguous URL paths"],
    [
      { name: "x", reason: "for the following reasons:\n  • one\n  • two\n" },
      "x: for the following reasons: • one • two",
    ],
    [{ name: "x\u001b[2J", reason: "y" }, "x\\u001b[2J: y"],
  ])("Each inconsistent object is one line: %j", (entry, line) => {
    const shown = (response: Json) => problemLines(inconsistencyList(response).problems).map(printable);
    expect(shown([entry])).toEqual([line]);
    expect(shown({ is_consistent: false, inconsistent_objects: [entry] })).toEqual([line]);
  });

  it("A list without inconsistent objects is empty", () => {
    expect(inconsistencyList([])).toEqual({ entries: [], problems: [] });
    expect(inconsistencyList({ message: "success" })).toEqual({ entries: [], problems: [] });
  });

  it("Inconsistent objects are listed without passwords", () => {
    const entry = { name: "source s", definition: { url: "postgres://me:hush@host" }, reason: "r" };
    expect(JSON.stringify(inconsistencyList([entry]))).not.toContain("hush");
  });
});
