/** SQL that the console of a project saves as a migration. */
import { describe, expect, it } from "vitest";
import { mayChangeSchema } from "../../../runtime/console/pages/data/schema-statements.ts";

describe("SQL in the console of a project", () => {
  it.each([
    "create table a (id int)",
    "select 1; Drop table a",
    "/* a note */ alter table a add b int",
    "-- a note\nalter table a add b int",
    "comment on table a is 'x'",
    "do $$ begin create table a (); end $$",
    "do $body$ begin create table a (); end $body$ language plpgsql",
    "select 1\ncreate table [a] (id int)",
    "exec sp_rename 'a', 'b'",
  ])("SQL that changes a schema is recognized: %s", (sql) => {
    expect(mayChangeSchema(sql)).toBe(true);
  });

  it.each([
    "select 1",
    "insert into a values ('x; create table b')",
    "insert into a values (1) on conflict (id)\ndo update set b = 2",
    "select comment,\ncomment from a",
    "select $$; drop table a $$",
    'select ";drop table a" from b',
    "-- drop table a\nselect 1",
    "/* ; drop table a */ delete from a",
    "with created as (select 1) select * from created",
  ])("SQL that changes only rows is not: %s", (sql) => {
    expect(mayChangeSchema(sql)).toBe(false);
  });
});
