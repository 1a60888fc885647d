/** Builds conditions from the filters of requests. */

import { assertNever } from "../../../values/errors.ts";
import { type Alias, columnValue } from "../../definitions/column.ts";
import type { Operator } from "../../definitions/operator.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { allOf, inParentheses, joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { ComputedField, Relationship, TableView } from "../../definitions/view.ts";
import type { Input, InputMember } from "../request/input.ts";
import { booleanValue } from "../request/input.ts";
import { aggregateCondition } from "./aggregate-predicate.ts";
import { callOfRow, rowsOfCall, valueOfRow } from "./call.ts";
import { type BuildContext, operand } from "./context.ts";
import { isApart, placeOfTable, relatedApart } from "./places.ts";
import { type Origin, readCondition } from "./scope.ts";

/** Returns the condition of a filter on `row`, or `undefined` if all rows match. */
export function condition(input: Input, row: Alias, context: BuildContext): Sql | undefined {
  return filter(input, row, context)?.sql;
}

/** A condition; `matchesPatterns` marks pattern matching, which is much slower than other comparisons. */
interface Filter {
  readonly sql: Sql;
  readonly matchesPatterns: boolean;
}

const plain = (sql: Sql | undefined): Filter | undefined => sql && { sql, matchesPatterns: false };

/**
 * Returns the conjunction of filters with pattern matches last: databases evaluate it in order, so that rows excluded by
 * other conditions are never matched.
 */
function all(filters: readonly (Filter | undefined)[]): Filter | undefined {
  const present = filters.filter((each) => each !== undefined);
  const patterns = present.filter(({ matchesPatterns }) => matchesPatterns);
  const others = patterns.length === 0 ? present : present.filter(({ matchesPatterns }) => !matchesPatterns);
  const sql = allOf([...others, ...patterns].map((each) => each.sql));
  return sql && { sql, matchesPatterns: patterns.length > 0 };
}

function filter(input: Input, row: Alias, context: BuildContext): Filter | undefined {
  if (input.kind !== "object") return undefined;
  return all(input.members.map((member) => memberFilter(member, row, context)));
}

function memberFilter({ meta, value }: InputMember, row: Alias, context: BuildContext): Filter | undefined {
  const { always, never } = context.dialect;
  switch (meta.kind) {
    case "and":
      return all(itemsOf(value).map((item) => filter(item, row, context)));
    case "or": {
      const items = itemsOf(value).map((item) => filter(item, row, context) ?? { sql: always, matchesPatterns: false });
      if (items.length === 0) return plain(never);
      const sql = inParentheses(
        joinSql(
          items.map((item) => inParentheses(item.sql)),
          " or ",
        ),
      );
      return { sql, matchesPatterns: items.some(({ matchesPatterns }) => matchesPatterns) };
    }
    case "not": {
      const inner = filter(value, row, context) ?? { sql: always, matchesPatterns: false };
      return { ...inner, sql: sql`not (${inner.sql})` };
    }
    case "column":
      return compared(value, columnValue(meta.column, row, context.session), meta.column.type, context);
    case "relationship":
      return plain(related(meta.relationship, value, row, context));
    case "computed":
      return computedFilter(meta.computed, value, row, context);
    case "aggregate_predicate":
      return plain(aggregateCondition(meta.relationship, value, row, context, { rows: condition, value: comparison }));
    case "aggregate_function":
    case "computed_aggregate":
    case "operator":
    case "operand":
    case "argument":
    case "aggregate":
    case "count":
    case "count_of":
    case "column_aggregate":
    case "distance":
    case "function":
    case "nested":
    case "related":
    case "connects":
    case "connect":
      return undefined;
    default:
      return assertNever(meta);
  }
}

function itemsOf(value: Input): readonly Input[] {
  return value.kind === "list" ? value.items : [value];
}

/** Compares the value of a computed field, or checks that one of its rows that the role may read matches the filter. */
function computedFilter(computed: ComputedField, value: Input, row: Alias, context: BuildContext): Filter | undefined {
  if (computed.kind === "value") return compared(value, valueOfRow(computed, row, context), computed.type, context);
  const origin = rowsOfCall(computed.call, callOfRow(computed.call, row, context));
  return plain(someRow(computed.target(), origin, value, context));
}

/**
 * Applies all operators to one value. All types with the same GraphQL scalar (`text`, a domain over it) share an input
 * type, so only the names of its operators are used: operands are cast to the type of the value.
 */
export function comparison(input: Input, left: Sql, type: ScalarType, context: BuildContext): Sql | undefined {
  return compared(input, left, type, context)?.sql;
}

function compared(input: Input, left: Sql, type: ScalarType, context: BuildContext): Filter | undefined {
  if (input.kind !== "object") return undefined;
  const operators = context.dialect.operators(type);
  return all(
    input.members.map(({ meta, value }) => {
      if (meta.kind !== "operator") return undefined;
      const operator = operators.find(({ name }) => name === meta.operator.name);
      const sql = operator && applyOperator(operator, left, value, context);
      return sql && { sql, matchesPatterns: operator.kind === "compare" && operator.isPattern === true };
    }),
  );
}

function applyOperator(operator: Operator, left: Sql, value: Input, context: BuildContext): Sql | undefined {
  switch (operator.kind) {
    case "compare":
      return operator.sql(left, operand(value, operator.operand));
    case "flag":
      return value.kind === "value" ? operator.sql(left, booleanValue(value, context.variables)) : undefined;
    case "cast": {
      if (value.kind !== "object") return undefined;
      const casted = operator.sql(left);
      return allOf(value.members.map((member) => comparison(member.value, casted, operator.target, context)));
    }
    case "structured": {
      if (value.kind !== "object") return undefined;
      const given = new Map(
        value.members.flatMap(({ meta, value }) => (meta.kind === "operand" ? [[meta.name, value] as const] : [])),
      );
      const operands = Object.entries(operator.fields).map(([name, { type }]) => {
        const input = given.get(name);
        return input && operand(input, type);
      });
      return operator.sql(left, operands);
    }
  }
}

/** Returns the condition that a related row which the role may read matches the filter. */
function related(relationship: Relationship, value: Input, row: Alias, context: BuildContext): Sql {
  const target = relationship.target();
  if (isApart(relationship, row, context)) {
    const conditions = (other: Alias) =>
      allOf([readCondition(target, other, context), condition(value, other, context)]);
    return relatedApart(relationship, row, conditions, context);
  }
  return someRow(target, { correlation: (other) => relationship.join.on(row, other) }, value, context);
}

function someRow(target: TableView, { rows, correlation }: Origin, value: Input, context: BuildContext): Sql {
  const other = context.alias();
  context.places.set(other, rows ? { kind: "values" } : placeOfTable(target));
  const where = allOf([correlation?.(other), readCondition(target, other, context), condition(value, other, context)]);
  return sql`exists (select 1 from ${rows ?? verbatim(target.table.sql)} ${other} where ${where ?? context.dialect.always})`;
}
