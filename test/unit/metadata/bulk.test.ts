import { describe, expect, it } from "vitest";
import { applyAtomically, mayChangeSchema, refuseConcurrent } from "../../../compiler/metadata/bulk.ts";
import { type BulkCall, decodeRequest } from "../../../compiler/metadata/dispatch.ts";
import type { Endpoint } from "../../../compiler/metadata/endpoint.ts";
import { catalogOf, stateOf } from "./sample.ts";

function bulk(endpoint: Endpoint, type: string, args: readonly unknown[]): BulkCall {
  const decoded = decodeRequest(endpoint, { type, args });
  if (!decoded.ok || decoded.value.call.effect !== "bulk") throw new Error("not a bulk");
  return decoded.value.call;
}

const sql = (text: string, more = {}) => ({ type: "run_sql", args: { sql: text, ...more } });
const refused = {
  code: "unexpected",
  path: "$.args",
  message: "Only read-only queries are allowed in a concurrent_bulk",
  status: 500,
};

describe("Validation of concurrent_bulk", () => {
  it("refuseConcurrent accepts SQL that needs no metadata check", () => {
    const items = [sql("select 1"), sql("drop table t", { read_only: true })];
    expect(refuseConcurrent(bulk("/v2/query", "concurrent_bulk", items))).toBeUndefined();
  });

  it.each([
    [[sql("select 1"), sql("drop table t")]],
    [[{ type: "bulk", args: [sql("select 1"), sql("ALTER TABLE t ADD c int")] }]],
    [[sql("select 1", { check_metadata_consistency: true })]],
  ])("refuseConcurrent refuses %j", (items) => {
    expect(refuseConcurrent(bulk("/v2/query", "concurrent_bulk", items))).toEqual(refused);
  });
});

it("mayChangeSchema returns true for changes and false for reads", () => {
  const items = [
    { type: "clear_metadata", args: {} },
    { type: "export_metadata", args: {} },
  ];
  expect(bulk("/v1/metadata", "bulk", items).items.map(mayChangeSchema)).toEqual([true, false]);
});

describe("Atomic bulk operations", () => {
  const catalog = catalogOf({ sources: [{ tables: [{ table: "a" }, { table: "b" }] }] });
  const create = (name: string) => ({
    type: "pg_create_object_relationship",
    args: { table: "a", name, using: { foreign_key_constraint_on: "b_id" } },
  });

  it("bulk_atomic applies its items in order as one change", () => {
    const items = [create("x"), { type: "pg_drop_relationship", args: { table: "a", relationship: "x" } }, create("y")];
    const change = applyAtomically(bulk("/v1/metadata", "bulk_atomic", items), stateOf(catalog));
    if (!change.ok) throw new Error(change.error.message);
    expect(change.value.check).toBe("atomic");
    const [table] = change.value.catalog.sources[0]?.tables ?? [];
    expect(table?.object_relationships.map(({ name }) => name)).toEqual(["y"]);
  });

  it("bulk_atomic fails with its first failing item", () => {
    const change = applyAtomically(bulk("/v1/metadata", "bulk_atomic", [create("x"), create("x")]), stateOf(catalog));
    expect(!change.ok && change.error).toMatchObject({ code: "already-exists", path: "$.args[1].args" });
  });

  it("bulk_atomic supports only some commands", () => {
    const items = [create("x"), { type: "bulk", args: [create("y")] }];
    expect(applyAtomically(bulk("/v1/metadata", "bulk_atomic", items), stateOf(catalog))).toEqual({
      ok: false,
      error: {
        code: "unexpected",
        path: "$.args",
        message: "Bulk atomic does not support this command",
        status: 500,
      },
    });
  });
});
