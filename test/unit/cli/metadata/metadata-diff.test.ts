import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../../compiler/catalog/model.ts";
import { changes, unifiedDiff } from "../../../../runtime/cli/metadata/metadata-diff.ts";

const table = (name: string, extra: JsonObject = {}): JsonObject => ({ table: { schema: "public", name }, ...extra });
const withTables = (tables: readonly Json[]): JsonObject => ({
  version: 3,
  sources: [{ name: "default", kind: "postgres", tables, configuration: {} }],
});

describe("Lists of metadata changes", () => {
  it("Changes match named objects by name", () => {
    const before = withTables([table("a"), table("b", { is_enum: true })]);
    const after = withTables([table("b", { is_enum: false }), table("c")]);
    expect(changes(before, after)).toEqual([
      { path: '$.sources.default.tables["public.a"]', before: table("a") },
      { path: '$.sources.default.tables["public.b"].is_enum', before: true, after: false },
      { path: '$.sources.default.tables["public.c"]', after: table("c") },
    ]);
  });

  it("Changes show other lists and reordered lists as a whole", () => {
    expect(changes({ a: [1, 2] }, { a: [2, 1] })).toEqual([{ path: "$.a", before: [1, 2], after: [2, 1] }]);
    const [x, y] = [{ name: "x" }, { name: "y" }];
    expect(changes([x, y], [y, x])).toEqual([{ path: "$", before: [x, y], after: [y, x] }]);
    expect(changes([x], [x, x])).toEqual([{ path: "$", before: [x], after: [x, x] }]);
    expect(changes([x, y], [y])).toEqual([{ path: "$.x", before: x }]);
  });

  it("Changes are empty for equal values, regardless of the order of keys", () => {
    expect(changes({ a: 1, b: [{}] }, { b: [{}], a: 1 })).toEqual([]);
  });
});

describe("Unified diffs of metadata", () => {
  it("The diff has a section for each changed, added or removed table", () => {
    const before = { name: "server", document: withTables([table("a"), table("b"), table("same")]) };
    const after = { name: "local", document: withTables([table("b", { is_enum: true }), table("c"), table("same")]) };
    expect(unifiedDiff(before, after, "yaml")).toEqual([
      "--- server/databases/default/tables/public_a.yaml",
      "+++ /dev/null",
      "@@ -1,3 +0,0 @@",
      "-table:",
      "-  schema: public",
      "-  name: a",
      "--- server/databases/default/tables/public_b.yaml",
      "+++ local/databases/default/tables/public_b.yaml",
      "@@ -1,3 +1,4 @@",
      " table:",
      "   schema: public",
      "   name: b",
      "+is_enum: true",
      "--- /dev/null",
      "+++ local/databases/default/tables/public_c.yaml",
      "@@ -0,0 +1,3 @@",
      "+table:",
      "+  schema: public",
      "+  name: c",
    ]);
  });

  it("The diff supports JSON, whole sections and two tables of the same name", () => {
    const before = { name: "server", document: { ...withTables([table("a")]), allowlist: [] } };
    const after = { name: "local", document: { ...withTables([table("a"), table("a")]), allowlist: [1] } };
    const headers = unifiedDiff(before, after, "json").filter((line) => /^(---|\+\+\+)/.test(line));
    expect(headers).toEqual([
      "--- server/allowlist.json",
      "+++ local/allowlist.json",
      "--- /dev/null",
      "+++ local/databases/default/tables/public_a#2.json",
    ]);
  });

  it("Names in the diff cannot control the terminal", () => {
    const sides = [[], [table("a\u001b[2J\n+++ x")]].map((tables, index) => {
      return { name: String(index), document: withTables(tables) };
    });
    const [before, after] = sides;
    const lines = before && after ? unifiedDiff(before, after, "yaml") : [];
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.join("")).not.toContain("\u001b");
    expect(lines.filter((line) => line.startsWith("+++"))).toHaveLength(1);
  });
});
