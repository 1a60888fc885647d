import { describe, expect, it } from "vitest";
import { inconsistencyList } from "../../../../runtime/cli/metadata/inconsistency.ts";

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
    expect(inconsistencyList([entry]).lines).toEqual([line]);
    expect(inconsistencyList({ is_consistent: false, inconsistent_objects: [entry] }).lines).toEqual([line]);
  });

  it("A list without inconsistent objects is empty", () => {
    expect(inconsistencyList([])).toEqual({ entries: [], lines: [] });
    expect(inconsistencyList({ message: "success" })).toEqual({ entries: [], lines: [] });
  });

  it("Inconsistent objects are listed without passwords", () => {
    const entry = { name: "source s", definition: { url: "postgres://me:hush@host" }, reason: "r" };
    expect(JSON.stringify(inconsistencyList([entry]))).not.toContain("hush");
  });
});
