/**
 * Scenarios of a condition: for each of its comparisons, rows for which it alone decides. The other parts of an `and`
 * hold and those of an `or` do not, so that a change of the comparison changes the result.
 */

import type {
  AnalyzedRelationship,
  AnalyzedTable,
  ColumnOperand,
  Operand,
  Predicate,
} from "../../../../compiler/2-analyze/analyzed-table.ts";
import { stringifyJson } from "../../../values/json-number.ts";
import { NoRows } from "./no-rows.ts";

/** A required property of a row. */
export type Demand =
  | { readonly kind: "value"; readonly column: string; readonly test: Test }
  | {
      readonly kind: "pair";
      readonly left: string;
      readonly test: string;
      readonly right: { readonly column: string; readonly of: "row" | "root" };
      readonly holds: boolean;
    }
  /** A related row exists that meets the demands. `isRoot`: it is the root of its demands, as for another permission. */
  | {
      readonly kind: "related";
      readonly relationship: AnalyzedRelationship;
      readonly demands: readonly Demand[];
      readonly isRoot: boolean;
    }
  /** No related row meets the condition. */
  | {
      readonly kind: "unrelated";
      readonly relationship: AnalyzedRelationship;
      readonly where: Predicate;
      readonly isRoot: boolean;
    }
  /** A row of another table exists. */
  | { readonly kind: "exists"; readonly table: string; readonly demands: readonly Demand[] }
  /** No row of another table is added. */
  | { readonly kind: "absent" };

/** A comparison of a value, and whether it holds. */
export interface Test {
  /** Name of the operator; `_is_null` for a comparison with null. */
  readonly operator: string;
  readonly operand: Operand;
  readonly holds: boolean;
}

export interface Scenario {
  /** The comparison that decides, such as `list.owner_id _eq x-engine-user-id`; empty without comparisons. */
  readonly label: string;
  /** If true, rows of the scenario meet the condition. */
  readonly holds: boolean;
  /** Sets of demands; each set is sufficient. */
  readonly alternatives: readonly (readonly Demand[])[];
  /** If true, other rows of the database may decide, so that the scenario needs a case of its own. */
  readonly isAlone: boolean;
}

type Ways = readonly (readonly Demand[])[];

/** Limits the product of alternatives. */
const maxWays = 16;

/**
 * Returns the scenarios of a condition, first the one in which it holds.
 * @throws NoRows for a condition that rows cannot be derived from
 */
export function scenariosOf(condition: Predicate, tables: ReadonlyMap<string, AnalyzedTable>): readonly Scenario[] {
  const all = [{ label: "", holds: true, ways: ways(condition, true) }, ...decided(condition, "")];
  const seen = new Set<string>();
  return all.flatMap(({ label, holds, ways: alternatives }) => {
    const key = stringifyJson(alternatives.map((each) => each.map(keyOf)));
    if (alternatives.length === 0 || seen.has(key)) return [];
    seen.add(key);
    const isAlone = alternatives.some((each) => each.some(readsOtherRows));
    return [{ label, holds, alternatives, isAlone }];
  });

  interface Decided {
    readonly label: string;
    readonly holds: boolean;
    readonly ways: Ways;
  }

  function decided(predicate: Predicate, path: string): readonly Decided[] {
    switch (predicate.kind) {
      case "and":
      case "or":
        return predicate.items.flatMap((item, index) => {
          const others = predicate.items.filter((_, other) => other !== index);
          const around = product(others.map((other) => ways(other, predicate.kind === "and")));
          return decided(item, path).map((inner) => ({ ...inner, ways: product([inner.ways, around]) }));
        });
      case "not":
        return decided(predicate.item, `${path}_not.`).map((inner) => ({ ...inner, holds: !inner.holds }));
      case "related":
      case "permitted": {
        const { kind, relationship, where } = predicate;
        const inner = decided(where, `${path}${relationship.name}.`);
        const related = inner.map((each) => ({ ...each, ways: relatedWays({ kind, relationship }, each.ways) }));
        const none = { label: `${path}${relationship.name}`, holds: false, ways: withoutRelated(relationship) };
        return [...related, none];
      }
      case "exists": {
        const { table, where } = predicate;
        const name = tables.get(table)?.displayName ?? table;
        const inner = decided(where, `${path}${name}.`);
        const found = inner.map((each) => ({ ...each, ways: existsWays(table, each.ways) }));
        return [...found, { label: `${path}${name}`, holds: false, ways: [[{ kind: "absent" }]] }];
      }
      default:
        return [true, false].map((holds) => ({
          label: labelOf(predicate, path),
          holds,
          ways: ways(predicate, holds),
        }));
    }
  }
}

/** Returns the sets of demands with which a condition holds or not; empty if there are none. */
export function ways(predicate: Predicate, holds: boolean): Ways {
  switch (predicate.kind) {
    case "and":
    case "or": {
      const each = predicate.items.map((item) => ways(item, holds));
      return (predicate.kind === "and") === holds ? product(each) : each.flat().slice(0, maxWays);
    }
    case "not":
      return ways(predicate.item, !holds);
    case "is_null":
      refuseComputed(predicate.column);
      return [[valueDemand(predicate.column, "_is_null", { kind: "literal", value: !predicate.negated }, holds)]];
    case "compare":
      refuseComputed(predicate.column);
      return [[valueDemand(predicate.column, predicate.operator, predicate.operand, holds)]];
    case "compare_columns": {
      refuseComputed(predicate.left);
      const { left, operator, right } = predicate;
      return [[{ kind: "pair", left: left.name, test: pairTests[operator], right, holds }]];
    }
    case "related":
    case "permitted": {
      const { relationship, where } = predicate;
      if (holds) return relatedWays(predicate, ways(where, true));
      const failing = relationship.kind === "object" ? relatedWays(predicate, ways(where, false)) : [];
      const isRoot = predicate.kind === "permitted";
      return [...failing, ...withoutRelated(relationship), [{ kind: "unrelated", relationship, where, isRoot }]];
    }
    case "exists":
      return holds ? existsWays(predicate.table, ways(predicate.where, true)) : [[{ kind: "absent" }]];
    case "computed_rows":
      throw new NoRows(`a condition uses the computed field ${predicate.computed.name}`);
    case "crossSource":
      throw new NoRows(`a condition uses rows of the source ${predicate.rows.source}`);
    case "compare_structured":
      throw new NoRows(`a condition uses the operator ${predicate.operator}`);
  }
}

const pairTests = { "=": "_eq", "<>": "_neq", ">": "_gt", "<": "_lt", ">=": "_gte", "<=": "_lte" } as const;

function refuseComputed({ name, computed, cast }: ColumnOperand): void {
  if (computed !== undefined) throw new NoRows(`a condition uses the computed field ${name}`);
  if (cast !== undefined) throw new NoRows(`a condition casts column ${name} to ${cast}`);
}

function valueDemand({ name }: ColumnOperand, operator: string, operand: Operand, holds: boolean): Demand {
  return { kind: "value", column: name, test: { operator, operand, holds } };
}

const relatedWays = (
  { kind, relationship }: Pick<Extract<Predicate, { kind: "related" | "permitted" }>, "kind" | "relationship">,
  inner: Ways,
): Ways => inner.map((demands) => [{ kind: "related", relationship, demands, isRoot: kind === "permitted" }]);

const existsWays = (table: string, inner: Ways): Ways => inner.map((demands) => [{ kind: "exists", table, demands }]);

/** Related rows are missing if none is added, or the columns of the relationship are null. */
function withoutRelated(relationship: AnalyzedRelationship): Ways {
  if (relationship.required) return [];
  if (relationship.origin !== "foreign_key") {
    return [[{ kind: "unrelated", relationship, where: { kind: "and", items: [] }, isRoot: false }]];
  }
  const isNull = { operator: "_is_null", operand: { kind: "literal", value: true }, holds: true } as const;
  return [relationship.mapping.map(({ local }) => ({ kind: "value", column: local, test: isNull }))];
}

/** Joins one alternative of each list. */
function product(lists: readonly Ways[]): Ways {
  return lists.reduce<Ways>(
    (done, list) => done.flatMap((left) => list.map((right) => [...left, ...right])).slice(0, maxWays),
    [[]],
  );
}

function labelOf(predicate: Predicate, path: string): string {
  if (predicate.kind === "is_null") return `${path}${predicate.column.name} _is_null ${!predicate.negated}`;
  if (predicate.kind === "compare_columns") {
    return `${path}${predicate.left.name} ${pairTests[predicate.operator]} ${predicate.right.column}`;
  }
  if (predicate.kind !== "compare") return path;
  const { column, operator, operand } = predicate;
  const shown = operand.kind === "session" ? operand.variable : stringifyJson(operand.value);
  return `${path}${column.name} ${operator} ${shown}`;
}

function readsOtherRows(demand: Demand): boolean {
  if (demand.kind === "related") return demand.demands.some(readsOtherRows);
  return demand.kind === "exists" || demand.kind === "absent";
}

/** Returns the demand with relationships and tables as names, for comparisons. */
function keyOf(demand: Demand): unknown {
  switch (demand.kind) {
    case "related":
      return [demand.kind, demand.relationship.name, demand.demands.map(keyOf)];
    case "unrelated":
      return [demand.kind, demand.relationship.name];
    case "exists":
      return [demand.kind, demand.table, demand.demands.map(keyOf)];
    default:
      return demand;
  }
}
