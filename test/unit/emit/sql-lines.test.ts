import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sqlLines } from "../../../compiler/5-plan/sql-lines.ts";
import { mssql } from "../../../compiler/dialects/mssql/introspect.ts";
import { postgres } from "../../../compiler/dialects/postgres/introspect.ts";

const columns = (count: number) =>
  Array.from({ length: count }, (_, i) => `t1."column_${i}" as "column_${i}"`).join(", ");

describe("SQL layout", () => {
  it("SQL that fits stays on one line", () => {
    expect(sqlLines(`select 1 from "t" where (\n  a\n  and b)`, postgres.quoted)).toBe(
      `select 1 from "t" where (a and b)`,
    );
  });

  it("Each clause, condition and list item of long SQL starts a line", () => {
    const text =
      `select (select coalesce(json_agg(r.*), '[]') from (select ${columns(4)} from "public"."t" t1 ` +
      `left join "public"."u" t2 on t2."id" = t1."u_id" where (t1."member_id" = $1::uuid) and (t1."returned_on" is null and ` +
      `exists (select 1 from "v")) order by t1."due_on" asc) r)::text`;
    expect(sqlLines(text, postgres.quoted)).toMatchInlineSnapshot(`
      "select (
        select coalesce(json_agg(r.*), '[]')
        from (
          select
            t1."column_0" as "column_0",
            t1."column_1" as "column_1",
            t1."column_2" as "column_2",
            t1."column_3" as "column_3"
          from "public"."t" t1
          left join "public"."u" t2 on t2."id" = t1."u_id"
          where (t1."member_id" = $1::uuid) and (t1."returned_on" is null and exists (select 1 from "v"))
          order by t1."due_on" asc
        ) r
      )::text"
    `);
  });

  it("The names and values of a JSON object stay on the same lines", () => {
    const members = Array.from({ length: 4 }, (_, i) => `'a long name of member ${i}', t1."column_${i}"`).join(", ");
    const object = `select json_build_object(${members}, 'rows', (select ${columns(4)} from "public"."a_table" t1))`;
    expect(sqlLines(object, postgres.quoted)).toMatchInlineSnapshot(`
      "select json_build_object(
        'a long name of member 0', t1."column_0",
        'a long name of member 1', t1."column_1",
        'a long name of member 2', t1."column_2",
        'a long name of member 3', t1."column_3",
        'rows', (
          select
            t1."column_0" as "column_0",
            t1."column_1" as "column_1",
            t1."column_2" as "column_2",
            t1."column_3" as "column_3"
          from "public"."a_table" t1
        )
      )"
    `);
  });

  it.each([
    ["line comments", `select ${columns(9)} -- where\n from t`],
    ["comments", `select ${columns(9)} /* ' */ from t`],
    ["dollar quotes", `select ${columns(9)}, $a$ ( $a$ from t`],
    ["parentheses that do not match", `select ${columns(9)}) from t`],
    ["a constant without end", `select ${columns(9)}, ' from t`],
  ])("A statement with %s is left unchanged", (_, text) => {
    expect(sqlLines(text, postgres.quoted)).toBe(text);
  });

  it.each([
    ["postgres", postgres.quoted, [`'a  (b'`, `'it''s, '`, `E'it\\'s  ('`, `"a ""  (b"`, `''`]],
    ["mssql", mssql.quoted, [`'a  (b'`, `N'it''s, '`, `[a  ]] ( 'b]`, `"a ""  (b"`]],
  ])("SQL layout changes only blanks between tokens: %s", (_, quoted, constants) => {
    const token = fc.constantFrom(
      ...constants,
      ..."select from distinct where and or order by group left join on a t1 , = :: . $1 -> 12".split(" "),
    );
    const { expression } = fc.letrec<{ expression: readonly string[]; inside: readonly string[] }>((tie) => ({
      inside: tie("expression").map((tokens) => ["(", ...tokens, ")"]),
      expression: fc
        .array(
          fc.oneof(
            { depthSize: "small", withCrossShrink: true },
            token.map((one) => [one]),
            tie("inside"),
          ),
          {
            maxLength: 30,
          },
        )
        .map((parts) => parts.flat()),
    }));
    fc.assert(
      fc.property(expression, (tokens) => {
        const lines = sqlLines(tokens.join(" "), quoted);
        let rest = lines;
        for (const one of tokens) {
          rest = rest.trimStart();
          if (!rest.startsWith(one)) expect.fail(`${one} in ${rest}`);
          rest = rest.slice(one.length);
        }
        expect(rest.trim()).toBe("");
      }),
      { numRuns: 300 },
    );
  });
});
