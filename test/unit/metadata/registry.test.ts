import { describe, expect, it } from "vitest";
import { findOperation, operationNames, operations } from "../../../compiler/metadata/registry.ts";

describe("The operation registry", () => {
  it("The registry reaches every operation by some name", () => {
    const endpoints = ["/v1/metadata", "/v1/query", "/v2/query"] as const;
    const reached = new Set(
      endpoints.flatMap((endpoint) =>
        ([1, 2] as const).flatMap((version) =>
          operationNames(endpoint, version).map((name) => findOperation(endpoint, version, name)?.operation),
        ),
      ),
    );
    expect(operations.filter((row) => !reached.has(row))).toEqual([]);
  });

  it("The registry finds an operation on sources under all prefixes", () => {
    for (const name of ["track_table", "create_select_permission", "add_source"]) {
      const rows = ["pg", "postgres", "mssql"].map((prefix) => findOperation("/v1/metadata", 1, `${prefix}_${name}`));
      expect(rows.map((row) => row?.kind)).toEqual(["postgres", "postgres", "mssql"]);
      expect(new Set(rows.map((row) => row?.operation)).size).toBe(1);
      expect(findOperation("/v1/metadata", 1, name)).toBeUndefined();
    }
  });

  it("The registry has no prefixed name for an operation that a kind of source lacks", () => {
    const mssql = operationNames("/v1/metadata", 1).filter((name) => name.startsWith("mssql_"));
    expect(mssql).toContain("mssql_track_tables");
    expect(mssql).not.toContain("mssql_set_table_is_enum");
  });

  it("On /v1/query, names without a prefix mean PostgreSQL", () => {
    expect(findOperation("/v1/query", 1, "track_table")?.kind).toBe("postgres");
    expect(findOperation("/v1/query", 1, "pg_track_table")).toBeUndefined();
  });

  it("The registry has different operations for versions with different arguments", () => {
    for (const name of ["track_table", "track_function", "replace_metadata"]) {
      const first = findOperation("/v1/query", 1, name)?.operation;
      const second = findOperation("/v1/query", 2, name)?.operation;
      expect(first?.name).toBe(name);
      expect(second?.name).toBe(name);
      expect(first).not.toBe(second);
    }
    expect(findOperation("/v1/metadata", 1, "pg_track_table")).toEqual(
      findOperation("/v1/metadata", 2, "pg_track_table"),
    );
  });
});
