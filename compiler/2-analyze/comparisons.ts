/**
 * Binds comparisons of a column or computed field in row filters: operators in both spellings, bare values, session
 * variables, casts, and column comparisons. Decides the meaning of comparisons with null.
 */
import { parseValue, valueFromASTUntyped } from "graphql";
import type { CastOperator, CompareOperator, StructuredOperator } from "../../runtime/model/definitions/operator.ts";
import type { ScalarType } from "../../runtime/model/definitions/scalar-type.ts";
import { EngineError } from "../../runtime/values/errors.ts";
import { isObject } from "../../runtime/values/is-object.ts";
import { isSessionReference, sessionVariableName } from "../../runtime/values/session.ts";
import type { Json, JsonObject } from "../catalog/model.ts";
import type { TypeRef } from "../shape/shape.ts";
import type { AnalyzedComputedField, ColumnOperand, Operand, Predicate } from "./analyzed-table.ts";
import { asBoolean, asList, asObject, asText } from "./json-values.ts";
import type { PredicateScope } from "./predicate-scope.ts";
import { reject, rejectUnknown } from "./rejection.ts";
import type { ComparedType, SourceContext } from "./source-context.ts";
import type { ColumnEntry, TableFields } from "./table-fields.ts";

/** Left side of a comparison: a column or computed field, possibly cast, with its operators. */
interface Left {
  readonly operand: ColumnOperand;
  readonly type: ComparedType;
  readonly nullable: boolean;
  /** Records that a static value depends on the type. */
  readonly useType: () => void;
}

/**
 * Binds `{"column": {operator: operand, …}}`, or a bare value, which means equality.
 * @throws Rejection
 */
export function compareColumn(scope: PredicateScope, entry: ColumnEntry, value: Json): Predicate {
  const { name, shape } = entry.column;
  scope.uses.column(entry);
  return compareValue(scope, value, {
    operand: { name, type: shape.type },
    nullable: shape.nullable,
    useType: () => scope.uses.column(entry, true),
  });
}

/**
 * Binds a comparison of a computed field's value.
 * @throws Rejection
 */
export function compareComputed(
  scope: PredicateScope,
  computed: AnalyzedComputedField,
  type: TypeRef,
  value: Json,
): Predicate {
  // The type can change only with the computed field, on which the expression already depends.
  const operand = { name: computed.name, type, computed };
  return compareValue(scope, value, { operand, nullable: true, useType: () => {} });
}

function compareValue(scope: PredicateScope, value: Json, subject: Omit<Left, "type">): Predicate {
  const type = scope.context.comparedType(subject.operand.type);
  if (isJson(type)) reject("JSON column can not be part of boolean expression");
  const left: Left = { ...subject, type };
  if (!isObject(value)) return compare(scope, left, "_eq", value);
  return all(Object.entries(value).map(([operator, operand]) => compareBy(scope, left, operator, operand)));
}

/** Returns true for `json`, which has no comparison operators; `jsonb` has them. */
function isJson({ scalar }: ComparedType): boolean {
  return scalar.graphql === "json" && scalar.element === undefined;
}

function all(items: readonly Predicate[]): Predicate {
  const [only] = items;
  return items.length === 1 && only ? only : { kind: "and", items };
}

type ColumnOperator = Extract<Predicate, { kind: "compare_columns" }>["operator"];

const columnOperators: ReadonlyMap<string, ColumnOperator> = new Map([
  ["_ceq", "="],
  ["_cne", "<>"],
  ["_cneq", "<>"],
  ["_cgt", ">"],
  ["_clt", "<"],
  ["_cgte", ">="],
  ["_clte", "<="],
]);

/** Operators between two columns, each by its usual name. */
export const columnOperatorNames: readonly string[] = [...columnOperators.keys()].filter((name) => name !== "_cne");

/** Normalises an operator: `$eq` is an alias of `_eq`, and `_ne` of `_neq`. */
function canonical(operator: string): string {
  const name = operator.startsWith("$") ? `_${operator.slice(1)}` : operator;
  return name === "_ne" ? "_neq" : name;
}

function compareBy(scope: PredicateScope, left: Left, written: string, operand: Json): Predicate {
  const name = canonical(written);
  const column = columnOperators.get(name);
  if (column !== undefined && left.operand.cast === undefined)
    return compareColumns(scope, left, written, column, operand);
  const operator = left.type.operators.get(name);
  switch (operator?.kind) {
    case "compare":
      return compare(scope, left, name, operand);
    case "flag":
      return { kind: "is_null", column: left.operand, negated: !asBoolean(operand) };
    case "cast":
      return all(Object.entries(asObject(operand)).map(([to, inner]) => afterCast(scope, left, operator, to, inner)));
    case "structured":
      return compareStructured(scope.context, left, operator, asObject(operand));
    case undefined:
      return name === "_cast" ? rejectCasts(left, asObject(operand)) : rejectOperator(scope, left, written);
  }
}

function compare(scope: PredicateScope, left: Left, name: string, value: Json): Predicate {
  const { operand: column, type } = left;
  const operator = type.operators.get(name);
  if (operator?.kind !== "compare") return rejectOperator(scope, left, name);
  checkOperator(column, operator);
  const operand = operandOf(scope.context, operator, value);
  if (operand.kind === "session") return { kind: "compare", column, operator: name, operand };
  left.useType();
  // The comparison is null-safe only for a nullable column. Otherwise it stays NULL, and so does its negation.
  if (value === null && left.nullable && (name === "_eq" || name === "_neq")) {
    return { kind: "is_null", column, negated: name === "_neq" };
  }
  return { kind: "compare", column, operator: name, operand };
}

/**
 * Refuses an operator that the type does not have: the database would apply another type's operator, with other rules.
 * @throws Rejection
 */
export function checkOperator(
  { type, cast }: ColumnOperand,
  { name, operator }: Pick<CompareOperator, "name" | "operator">,
): void {
  const own = cast === undefined ? (type.base ?? type).operators?.names : undefined;
  if (own === undefined || operator === undefined || own.includes(operator)) return;
  reject(`"${name}" needs the operator "${operator}", which type "${type.sql}" does not have; it has ${listed(own)}`);
}

function listed(operators: readonly string[]): string {
  return operators.length === 0 ? "none" : operators.map((each) => `"${each}"`).join(", ");
}

/** Binds an operator with several fields. An omitted field gets its default, or no operand. */
function compareStructured(
  context: SourceContext,
  { operand: column, useType }: Left,
  { name, fields }: StructuredOperator,
  given: JsonObject,
): Predicate {
  const operands = Object.entries(fields).map(([key, { type, required, defaultValue }]): Operand | undefined => {
    const value = given[key];
    if (value !== undefined) return bindValue(context, type, value);
    if (defaultValue !== undefined) {
      return { kind: "literal", value: valueFromASTUntyped(parseValue(defaultValue)) as Json };
    }
    return required ? reject(`key "${key}" not found`) : undefined;
  });
  if (operands.some((operand) => operand?.kind === "literal")) useType();
  return { kind: "compare_structured", column, operator: name, operands };
}

/** Binds an operand. The name of a session variable stands for the variable's value, except as a list element. */
function operandOf(context: SourceContext, { operand, list }: CompareOperator, value: Json): Operand {
  const isList = list && !isSessionReference(value, context.options.sessionAlias);
  return bindValue(context, operand, isList ? asList(value) : value);
}

/**
 * Binds a value, which must be a valid literal of the type, or a session variable.
 * @throws Rejection
 */
export function bindValue({ options }: SourceContext, { encode }: ScalarType, value: Json): Operand {
  const { sessionAlias } = options;
  if (isSessionReference(value, sessionAlias)) {
    return { kind: "session", variable: sessionVariableName(value, sessionAlias) };
  }
  checkLiteral(encode, value);
  return { kind: "literal", value };
}

function checkLiteral(encode: ScalarType["encode"], value: Json): void {
  try {
    encode(value, "$");
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    reject(error.message);
  }
}

/** Binds comparisons after a cast. The target type is named as in GraphQL, or as in the database. */
function afterCast(scope: PredicateScope, left: Left, { target }: CastOperator, to: string, value: Json): Predicate {
  if (to !== target.graphql && to !== target.cast) return rejectCast(left, to);
  const operand = { ...left.operand, cast: target.cast };
  const inner: Left = { ...left, operand, type: withoutCast(scope.context.comparedScalar(target)) };
  return all(Object.entries(asObject(value)).map(([operator, value]) => compareBy(scope, inner, operator, value)));
}

/** Removes the cast operators: a value can be cast only once. */
function withoutCast({ scalar, operators }: ComparedType): ComparedType {
  return { scalar, operators: new Map([...operators].filter(([, { kind }]) => kind !== "cast")) };
}

function rejectCasts(left: Left, casts: Readonly<Record<string, Json>>): Predicate {
  const [to] = Object.keys(casts);
  return to === undefined ? all([]) : rejectCast(left, to);
}

function rejectCast({ operand }: Left, to: string): never {
  return reject(`cannot cast column of type "${operand.cast ?? operand.type.sql}" to type "${to}"`);
}

function rejectOperator({ context }: PredicateScope, { operand, type }: Left, written: string): never {
  const types = context.dialect.typesWithOperator(canonical(written));
  if (types.length === 0) return rejectUnknown(`Unknown operator: ${written}`, written, type.operators.keys());
  const works = types.map((name) => `"${name}"`).join("/");
  const actual = operand.cast ?? operand.type.sql;
  return reject(` is of type "${actual}"; this operator works only on columns of type ${works}`);
}

/** Binds a column comparison: `"column"` or `["column"]` of the same row, `["$", "column"]` of the permission's row. */
function compareColumns(
  scope: PredicateScope,
  left: Left,
  written: string,
  operator: ColumnOperator,
  value: Json,
): Predicate {
  const path = typeof value === "string" ? [value] : asList(value).map(asText);
  const fromRoot = path[0] === "$";
  const [name, ...more] = fromRoot ? path.slice(1) : path;
  if (name === undefined) return reject("path cannot be empty");
  if (more.length > 0) reject("Relationship references are not supported in column comparison RHS");
  const table = fromRoot ? scope.root : scope.row;
  if (table === null) return reject("a row of another source cannot be compared with the row of the permission");
  const other = columnOf(table, name);
  const { name: own, type } = left.operand;
  const otherType = other.column.shape.type;
  checkOperator(left.operand, { name: written, operator });
  if (type.schema !== otherType.schema || type.name !== otherType.name) {
    reject(`incompatible column types: "${own}" has type "${type.sql}", but "${name}" has type "${otherType.sql}"`);
  }
  scope.uses.column(other);
  return {
    kind: "compare_columns",
    left: left.operand,
    operator,
    right: { column: name, of: fromRoot ? "root" : "row" },
  };
}

function columnOf({ columns }: TableFields, name: string): ColumnEntry {
  return columns.get(name) ?? rejectUnknown(`"${name}" does not exist`, name, columns.keys());
}
