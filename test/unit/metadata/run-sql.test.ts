import { describe, expect, it } from "vitest";
import { decodeRequest } from "../../../compiler/metadata/dispatch.ts";
import { needsMetadataCheck, type RunSql } from "../../../compiler/metadata/operations/run-sql.ts";

const run = (sql: string, more: Partial<RunSql> = {}): RunSql => ({
  sql,
  source: "default",
  cascade: false,
  read_only: false,
  no_transaction: false,
  ...more,
});

describe("Metadata checks of run_sql", () => {
  it.each([
    ["ALTER TABLE t ADD c int", true],
    ["select 1; drop\ntable t", true],
    ["create or replace view v as select 1", true],
    ["CREATE  FUNCTION f() returns int", true],
    ["create\nfunction f() returns int", true],
    ["comment on table t is 'x'", true],
    ["select 'alter'", true],
    ["-- drop\nselect 1", true],
    ["create table t (id int)", false],
    ["select alternative, dropped, replaced from t", false],
    ["create index on t (function)", false],
    ["insert into comment (x) values (1)", false],
    ["exec sp_rename 'a', 'b'", false],
  ])("needsMetadataCheck for PostgreSQL: %j → %j", (sql, expected) => {
    expect(needsMetadataCheck("postgres", run(sql))).toBe(expected);
  });

  it.each([
    ["exec SP_RENAME 'a', 'b'", true],
    ["Drop table t", true],
    ["select replace('a', 'b', 'c')", false],
  ])("needsMetadataCheck for SQL Server: %j → %j", (sql, expected) => {
    expect(needsMetadataCheck("mssql", run(sql))).toBe(expected);
  });

  it("read_only takes precedence over check_metadata_consistency", () => {
    const alter = "alter table t add c int";
    expect(needsMetadataCheck("postgres", run(alter, { read_only: true, check_metadata_consistency: true }))).toBe(
      false,
    );
    expect(needsMetadataCheck("postgres", run(alter, { check_metadata_consistency: false }))).toBe(false);
    expect(needsMetadataCheck("postgres", run("select 1", { check_metadata_consistency: true }))).toBe(true);
  });
});

describe("Arguments of run_sql", () => {
  it.each([
    ["pg_run_sql", true],
    ["mssql_run_sql", false],
  ])("%s supports read_only and no_transaction: %s", (type, known) => {
    const args = { sql: "drop table t", read_only: true, no_transaction: true };
    const decoded = decodeRequest("/v2/query", { type, args });
    if (!decoded.ok) throw new Error(decoded.error.message);
    expect(decoded.value.call).toMatchObject({ input: { read_only: known, no_transaction: known } });
  });
});
