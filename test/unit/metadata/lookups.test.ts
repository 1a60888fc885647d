import { describe, expect, it } from "vitest";
import type { ObjectId } from "../../../compiler/2-analyze/object-id.ts";
import { findConsistentTable, findSource, findTable } from "../../../compiler/metadata/lookups.ts";
import { catalogOf, inconsistencyOf, type SampleAnalysis, stateOf } from "./sample.ts";

const catalog = catalogOf({
  sources: [
    { tables: [{ table: "author" }, { table: { schema: "shop", name: "tag" } }] },
    { name: "ms", kind: "mssql", configuration: { connection_info: { connection_string: "x" } } },
  ],
});
const at = (given: SampleAnalysis = {}) => ({ ...stateOf(catalog, given), kind: "postgres" as const, path: "$.args" });
const author = { schema: "public", name: "author" };
const source: ObjectId = { kind: "source", source: "default" };
const table: ObjectId = { kind: "table", source: "default", table: author };

const failed = (code: string, message: string, hint?: string) => ({
  ok: false,
  error: { code, message, path: "$.args", ...(hint !== undefined && { hint }) },
});

describe("Look-up of sources", () => {
  it("findSource reports an unknown source first, then another kind, then an inconsistency", () => {
    const unknown = failed("not-exists", 'source with name "defalt" does not exist', 'did you mean "default"?');
    expect(findSource(at(), "defalt")).toEqual(unknown);
    const otherKind = failed(
      "not-exists",
      'source with name "ms" has backend type "mssql" which does not match the expected type postgres',
    );
    expect(findSource(at({ unreachable: ["ms"] }), "ms")).toEqual(otherKind);
    const inconsistent = failed("unexpected", 'source with name "default" is inconsistent');
    expect(findSource(at({ unreachable: ["default"] }), "default")).toEqual(inconsistent);
  });

  it("findSource returns an inconsistent source that works with its stored shape", () => {
    expect(findSource(at({ inconsistencies: [inconsistencyOf(source)] }), "default").ok).toBe(true);
  });
});

describe("Look-up of tables", () => {
  it("Errors name a table without the default schema", () => {
    const message = 'table "shop.author" does not exist in source: default';
    expect(findTable(at(), "default", { schema: "shop", name: "author" })).toMatchObject(failed("not-exists", message));
    const inPublic = findTable(at(), "default", { schema: "public", name: "tag" });
    expect(inPublic).toMatchObject(failed("not-exists", 'table "tag" does not exist in source: default'));
  });

  it("An inconsistent table is found, but not as the owner of new objects", () => {
    const given = at({ inconsistencies: [inconsistencyOf(table)] });
    expect(findTable(given, "default", author).ok).toBe(true);
    const missing = failed("not-exists", 'table "author" does not exist in source: default');
    expect(findConsistentTable(given, "default", author)).toEqual(missing);
    expect(findConsistentTable(at(), "default", author).ok).toBe(true);
  });

  it("A table is inconsistent through an entry about several objects but not through an informational entry", () => {
    const other = inconsistencyOf({ kind: "table", source: "default", table: { schema: "shop", name: "tag" } });
    const together = { ...other, together: { form: "conflict" as const, objects: [other, inconsistencyOf(table)] } };
    expect(findConsistentTable(at({ inconsistencies: [together] }), "default", author).ok).toBe(false);
    const informational = { ...inconsistencyOf(table), informational: true as const };
    expect(findConsistentTable(at({ inconsistencies: [informational] }), "default", author).ok).toBe(true);
  });
});
