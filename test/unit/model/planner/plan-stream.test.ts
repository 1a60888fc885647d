import { parse as parseSql } from "pgsql-parser";
import { describe, expect, it } from "vitest";
import { bind } from "../../../../runtime/model/definitions/parameters.ts";
import type { PlannedStatement } from "../../../../runtime/model/planner/plan.ts";
import { planSubscription } from "../../../../runtime/model/planner/plan-subscription.ts";
import { readOperation } from "../../../../runtime/model/planner/request/document.ts";
import { roleSchema } from "../../../../runtime/model/schema/role-schema.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";
import { sampleRole } from "../../../support/sample-role.ts";

const schema = roleSchema(sampleRole);
const options = { stringifyNumbers: false, nullCollapse: false };
const session = new Map([["x-engine-branch-id", "7"]]);

function statement(query: string, variables: Record<string, unknown> = {}): PlannedStatement & { values: unknown[] } {
  const [planned] = planSubscription(readOperation(query, null), schema, variables, options).plan.statements;
  if (!planned) throw new Error("nothing was planned");
  return { ...planned, values: bind(planned.slots, { variables, session }) };
}

function failure(query: string): unknown {
  try {
    return statement(query);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return `${error.code} ${error.path}: ${error.message}`;
  }
}

const cursor = "cursor: {initial_value: {id: 3}}";

describe("Streams on PostgreSQL", () => {
  it("A stream selects the permitted rows after the cursor, including ties, and the cursor of the last row", async () => {
    const {
      text,
      values,
      cursor: place,
    } = statement(
      `subscription ($id: Int!) {
        book_stream(batch_size: 10, cursor: [{initial_value: {id: $id}, ordering: DESC}], where: {id: {_gt: $id}}) {
          t: title author { name }
        }
      }`,
      { id: 9 },
    );
    expect(text).toBe(
      `select coalesce(json_agg(b.r), '[]')::text, (array_agg(b.p))[count(*)] from (` +
        `select json_build_object('t', t1."title", 'author', case when t2."id" is not null then ` +
        `json_build_object('name', t2."name") end) as r, t1."id"::text as p ` +
        `from "public"."book" t1 left join "public"."author" t2 on t2."id" = t1."author_id" ` +
        `where (t1."id" < $1::int4) and (t1."branch_id" = $2::int4 and t1."withdrawn" is null) and (t1."id" > $3::int4) ` +
        `order by t1."id" desc fetch first (least($4::int8, 50)) rows with ties) b having count(*) > 0`,
    );
    // The variable used as the cursor is a separate parameter, because only the cursor changes.
    expect(values).toEqual(["9", "7", "9", "10"]);
    expect(place).toMatchObject({ column: "id", slots: [0], start: { text: "select ($1::int4)::text" } });
    await expect(parseSql(text)).resolves.toBeDefined();
  });

  it("A stream statement can be multiplexed", async () => {
    const { multiplexed } = statement(`subscription { book_stream(batch_size: 1, ${cursor}) { id } }`);
    expect(multiplexed?.text).toMatch(
      /^select v\.n, q\.\* from unnest\(\$1::int4\[\], \$2::int4\[\], \$3::int8\[\]\) .* lateral \(select .* as c1, .* as c2 from \(/,
    );
    await expect(parseSql(multiplexed?.text ?? "")).resolves.toBeDefined();
  });

  it("A stream after a null cursor has no rows", () => {
    const { text, values } = statement(
      "subscription { book_stream(batch_size: 1, cursor: {initial_value: {isbn: null}}) { id } }",
    );
    expect(text).toContain(`t1."isbn" > $1::public.isbn`);
    // The second value is the key of the last row, which there is none of yet.
    expect(values).toEqual([null, null, "7", "1"]);
  });
});

const several = "subscription @_multiple_top_level_fields";
const path = "$.selectionSet.book_stream.args.cursor";

it.each([
  ["cursor: []", `validation-failed ${path}: one streaming column field is expected`],
  ["cursor: {initial_value: {}}", `validation-failed ${path}: one streaming column field is expected`],
  [
    'cursor: {initial_value: {id: 1, title: "a"}}',
    `validation-failed ${path}: multiple column cursors are not supported yet`,
  ],
  [
    "cursor: [{initial_value: {id: 1}}, {initial_value: {id: 2}}]",
    `validation-failed ${path}: multiple column cursors are not supported yet`,
  ],
])("A stream with %s is refused", (given, message) => {
  expect(failure(`subscription { book_stream(batch_size: 1, ${given}) { id } }`)).toBe(message);
});

it("A stream with a negative batch size is refused", () => {
  expect(failure(`subscription { book_stream(batch_size: -1, ${cursor}) { id } }`)).toMatch(
    /^validation-failed .*expected a non-negative 32-bit integer/,
  );
});

it.each([
  [
    `a: book_stream(batch_size: 1, ${cursor}) { id } b: book { id }`,
    "streaming and livequery subscriptions cannot be executed in the same subscription",
  ],
  [
    `a: book_stream(batch_size: 1, ${cursor}) { id } b: book_stream(batch_size: 1, ${cursor}) { id }`,
    "exactly one root field is allowed for streaming subscriptions",
  ],
])("A subscription of %s is refused", (fields, message) => {
  expect(failure(`${several} { ${fields} }`)).toBe(`not-supported $: ${message}`);
});
