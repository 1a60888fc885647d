import { parse as parseSql } from "pgsql-parser";
import { describe, expect, it } from "vitest";
import { bind } from "../../../../runtime/model/definitions/parameters.ts";
import { planSubscription } from "../../../../runtime/model/planner/plan-subscription.ts";
import { readOperation } from "../../../../runtime/model/planner/request/document.ts";
import { roleSchema } from "../../../../runtime/model/schema/role-schema.ts";
import { sampleRole } from "../../../support/sample-role.ts";

const schema = roleSchema(sampleRole);
const options = { stringifyNumbers: false, nullCollapse: false };
const session = new Map([["x-engine-branch-id", "7"]]);

function multiplexed(query: string, variables: Record<string, unknown> = {}) {
  const { plan } = planSubscription(readOperation(query, null), schema, variables, options);
  const [statement] = plan.statements;
  const { text = "", slots = [], values = () => [] } = statement?.multiplexed ?? {};
  const own = bind(slots, { variables, session });
  return { text, own, values, plain: bind(statement?.slots ?? [], { variables, session }) };
}

describe("Multiplexed statements", () => {
  it("A multiplexed statement takes one typed list for each parameter of the query", () => {
    const { text, own, values, plain } = multiplexed("subscription ($n: Int) { book(limit: $n) { title } }", { n: 3 });
    expect(text).toBe(
      `select v.n, q.* from unnest($1::int4[], $2::int8[]) with ordinality as v(p1, p2, n) cross join lateral (` +
        `select (select coalesce(json_agg(r.*), '[]') from (select t1."title" as "title" from "public"."book" t1 ` +
        `where t1."branch_id" = v.p1::int4 and t1."withdrawn" is null limit least(v.p2::int8, 50)) r)::text as c1) q`,
    );
    expect(own).toEqual(plain);
    expect(values([own, ["8", null]])).toEqual(['{"7","8"}', '{"3",NULL}']);
  });

  it("A multiplexed statement passes lists as text and casts them where they are used", () => {
    const { text, own, values } = multiplexed('subscription { book(where: {title: {_in: ["a", "b\\"c"]}}) { title } }');
    expect(text).toContain("unnest($1::int4[], $2::text[])");
    expect(text).toContain(`t1."title" = any(v.p2::text[])`);
    expect(values([own])).toEqual(['{"7"}', String.raw`{"{a,\"b\\\"c\"}"}`]);
  });

  it("A multiplexed statement runs a query without parameters once", () => {
    const { text, values } = multiplexed("subscription { author { name } }");
    expect(text).toMatch(/^select 1 as n, q\.\* from \(select \(.*\)::text as c1\) q$/);
    expect(values([[]])).toEqual([]);
  });

  it("A multiplexed statement is valid SQL with one column for each root field", async () => {
    const { text } = multiplexed(
      `subscription @_multiple_top_level_fields {
        book(where: {title: {_like: "A%"}}, order_by: {author: {name: asc}}, offset: 2) { title }
        book_by_pk(id: 1) { id }
      }`,
    );
    await expect(parseSql(text)).resolves.toBeDefined();
    expect(text).toMatch(/ as c1, .* as c2\) q$/);
  });
});
