import fc from "fast-check";
import { expect, it } from "vitest";
import type { Condition } from "../../../compiler/3-lower/ir.ts";
import { implies } from "../../../compiler/access/implies.ts";

/** A truth value of SQL; `null` is unknown. */
type Truth = boolean | null;

const leaves = ["a", "b", "c"];
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(...leaves).map((name): Condition => ({ kind: "test", sql: [name] })),
    fc
      .tuple(fc.constantFrom("all" as const, "any" as const), fc.array(tie("condition"), { maxLength: 3 }))
      .map(([kind, items]): Condition => ({ kind, items })),
    tie("condition").map((item): Condition => ({ kind: "not", item })),
    fc
      .tuple(fc.constantFrom("t", "u"), tie("condition"))
      .map(([from, where]): Condition => ({ kind: "exists", from: [from], alias: from, where })),
  ),
}));

/** Truth values of tests on one row. */
type Row = Readonly<Record<string, Truth>>;

/**
 * Evaluates a condition on one row.
 * @param related rows that `exists` covers, by table
 */
function truthOf(condition: Condition, row: Row, related: Readonly<Record<string, readonly Row[]>>): Truth {
  switch (condition.kind) {
    case "test":
      return row[String(condition.sql[0])] ?? null;
    case "not": {
      const value = truthOf(condition.item, row, related);
      return value === null ? null : !value;
    }
    case "all": {
      const values = condition.items.map((item) => truthOf(item, row, related));
      return values.includes(false) ? false : values.includes(null) ? null : true;
    }
    case "any": {
      const values = condition.items.map((item) => truthOf(item, row, related));
      return values.includes(true) ? true : values.includes(null) ? null : false;
    }
    case "readable":
      throw new Error("conditions of an access contain the row filters of related rows");
    case "exists":
      return (related[condition.alias] ?? []).some((other) => truthOf(condition.where, other, related) === true);
  }
}

const truth = fc.constantFrom<Truth>(true, false, null);
const row = fc.record(Object.fromEntries(leaves.map((name) => [name, truth])));
const related = fc.record({ t: fc.array(row, { maxLength: 2 }), u: fc.array(row, { maxLength: 2 }) });

it("implies never holds if a row passes the first condition and fails the second", () => {
  const found = { implied: 0 };
  fc.assert(
    fc.property(condition, condition, row, related, (narrow, wide, row, related) => {
      if (!implies(narrow, wide)) return;
      found.implied++;
      if (truthOf(narrow, row, related) === true) expect(truthOf(wide, row, related)).toBe(true);
    }),
    { numRuns: 5000, seed: 1 },
  );
  expect(found.implied).toBeGreaterThan(100);
});

it("implies holds for each condition with itself and for open conditions", () => {
  fc.assert(
    fc.property(condition, (given) => {
      expect(implies(given, given)).toBe(true);
      expect(implies(given, undefined)).toBe(true);
      expect(implies({ kind: "any", items: [] }, given)).toBe(true);
    }),
  );
});

it("A missing filter implies a condition only if every row passes it", () => {
  fc.assert(
    fc.property(condition, row, related, (given, row, related) => {
      if (implies(undefined, given)) expect(truthOf(given, row, related)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
