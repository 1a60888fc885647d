/** Conditions on rows. */
import { describe, expect, it } from "vitest";
import { readsRowAlone } from "../../../../runtime/model/definitions/row-filter.ts";
import { sql, verbatim } from "../../../../runtime/model/definitions/sql.ts";

const row = verbatim("t1");

describe("Row filters", () => {
  it.each([
    sql`${row}."hidden" = 'false'::bool`,
    sql`((${row}."a" > 1) and (not (${row}."b" is null))) or (${row}."c" in ('x'))`,
    sql`${row}."a" = any(${verbatim("'{1,2}'")}::int4[])`,
  ])("A condition on columns of the row reads the row alone: %#", (condition) => {
    expect(readsRowAlone(condition)).toBe(true);
  });

  it.each([
    sql`exists (select 1 from "public"."team" t2 where t2."id" = ${row}."team_id")`,
    sql`(SELECT true)`,
    sql`"public"."may_read"(${row})`,
    sql`public.may_read(${row}) and (${row}."a" = 1)`,
    sql`"odd name" (${row})`,
    sql`${verbatim('"f"')}${verbatim("(")}${row})`,
  ])("A condition with a sub-select or a call may read tables: %#", (condition) => {
    expect(readsRowAlone(condition)).toBe(false);
  });
});
