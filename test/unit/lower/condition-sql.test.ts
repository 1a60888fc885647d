import { expect, it } from "vitest";
import { conditionSql } from "../../../compiler/3-lower/condition-sql.ts";
import type { Condition } from "../../../compiler/3-lower/ir.ts";
import { render, verbatim } from "../../../runtime/model/definitions/sql.ts";

const test = (column: string): Condition => ({ kind: "test", sql: [{ kind: "row" }, `.${column}`] });
const [a, b] = [test("a"), test("b")];

it.each<[string, Condition, string]>([
  ["all parts", { kind: "all", items: [a, b] }, "(t.a) and (t.b)"],
  ["any part", { kind: "any", items: [a, b] }, "(t.a) or (t.b)"],
  ["a negation", { kind: "not", item: a }, "not (t.a)"],
  [
    "a negation within parts of both kinds",
    { kind: "all", items: [a, { kind: "any", items: [{ kind: "not", item: a }, b] }] },
    "(t.a) and ((not (t.a)) or (t.b))",
  ],
  [
    "related rows",
    { kind: "exists", from: ["item"], alias: "i", where: { kind: "any", items: [a, b] } },
    "exists (select 1 from item i where (t.a) or (t.b))",
  ],
])("The SQL of a condition has the meaning of the condition: %s", (_, condition, text) => {
  const { text: rendered } = render(conditionSql(condition, verbatim("t")), { parameterReference: String });
  expect(rendered).toBe(text);
});
