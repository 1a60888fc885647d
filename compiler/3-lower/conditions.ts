/**
 * Lowers row filters from bound predicates to SQL conditions. The SQL of a comparison comes from the operator table that
 * also serves requests, so that permissions and `where` arguments have the same meaning.
 */

import { type ParameterSlot, sessionSlot, wholeSessionSlot } from "../../runtime/model/definitions/parameters.ts";
import { constant } from "../../runtime/model/definitions/row-filter.ts";
import { compared, type ScalarType } from "../../runtime/model/definitions/scalar-type.ts";
import { joinSql, parameter, Sql, sql, verbatim } from "../../runtime/model/definitions/sql.ts";
import { assertNever, invariant } from "../../runtime/values/errors.ts";
import type {
  AnalyzedComputedField,
  AnalyzedRelationship,
  ColumnOperand,
  CrossSourceRows,
  Operand,
  Predicate,
} from "../2-analyze/analyzed-table.ts";
import { unresolved } from "../2-analyze/permitted.ts";
import type { QualifiedName } from "../catalog/model.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { dialectOf } from "../dialects/index.ts";
import type { TypeRef } from "../shape/shape.ts";
import { AliasNames } from "./alias-names.ts";
import type { Condition, CrossSourceIr, SqlPart } from "./ir.ts";

export interface ConditionContext {
  readonly dialect: Dialect;
  /** Returns the table for a key in the predicate. */
  readonly tableOf: (key: string) => QualifiedName;
  /**
   * Keys of tables that the role may know: a permitted row is tested by the view of its table. Other row filters are
   * part of the condition; absent: all of them.
   */
  readonly viewed?: ReadonlySet<string>;
}

/** Returns the condition of a predicate on one row; `undefined` if it is true for every row. */
export function lowerPredicate(predicate: Predicate, context: ConditionContext): Condition | undefined {
  const condition = new Lowering(context).lower(predicate, rootRow);
  return isTrue(condition) ? undefined : withConstants(condition, context.dialect);
}

/** Returns a condition that is true for every row, for contexts that require one. */
export const alwaysTrue = ({ runtime }: Dialect): Condition => test(runtime.dialect.always);

/** Replaces empty conjunctions and disjunctions inside a condition by the constants of the dialect. */
function withConstants(condition: Condition, dialect: Dialect): Condition {
  switch (condition.kind) {
    case "all":
    case "any": {
      const { always, never } = dialect.runtime.dialect;
      if (condition.items.length === 0) return test(condition.kind === "all" ? always : never);
      return { ...condition, items: condition.items.map((item) => withConstants(item, dialect)) };
    }
    case "not":
      return { ...condition, item: withConstants(condition.item, dialect) };
    case "exists":
      return { ...condition, where: withConstants(condition.where, dialect) };
    case "readable":
    case "test":
      return condition;
  }
}

/** Lowers a column preset, cast to the type of its column. */
export function lowerValue(value: Operand, type: TypeRef, dialect: Dialect): readonly SqlPart[] {
  const scalar = dialect.scalarOf(dialect.scalarCall(type));
  return partsOf(valueSql(scalar, value, dialect.inputIsImmutable(type), dialect));
}

/** Placeholder for the filtered row; `partsOf` recognises it by identity. */
const rootRow = verbatim("");

type Related = Extract<Predicate, { kind: "related" }>;
type Permitted = Extract<Predicate, { kind: "permitted" }>;
type ComputedRows = Extract<Predicate, { kind: "computed_rows" }>;
type CrossSource = Extract<Predicate, { kind: "crossSource" }>;
type Structured = Extract<Predicate, { kind: "compare_structured" }>;

class Lowering {
  readonly #context: ConditionContext;
  readonly #aliases = new AliasNames();
  /** Qualifier of the columns of the root: the filtered row, or a row that another permission filters. */
  #root = rootRow;

  constructor(context: ConditionContext) {
    this.#context = context;
  }

  /** @param row the qualifier of the columns of the predicate's table */
  lower(predicate: Predicate, row: Sql): Condition {
    switch (predicate.kind) {
      case "and":
        return combine(
          "all",
          predicate.items.map((item) => this.lower(item, row)),
        );
      case "or":
        return combine(
          "any",
          predicate.items.map((item) => this.lower(item, row)),
        );
      case "not":
        return { kind: "not", item: this.lower(predicate.item, row) };
      case "is_null": {
        const left = this.#operand(predicate.column, row).left;
        return test(predicate.negated ? sql`${left} is not null` : sql`${left} is null`);
      }
      case "compare":
        return this.#compare(predicate.column, predicate.operator, predicate.operand, row);
      case "compare_structured":
        return this.#compareStructured(predicate, row);
      case "compare_columns": {
        const { left, operator, right } = predicate;
        const other = this.#column(right.of === "root" ? this.#root : row, right.column);
        const { left: own, type } = this.#operand(left, row);
        return test(compared(own, operator, other, type));
      }
      case "related":
        return this.#related(predicate, row);
      case "permitted":
        return this.#permitted(predicate, row);
      case "computed_rows":
        return this.#computedRows(predicate, row);
      case "exists":
        return this.#exists(
          this.#context.tableOf(predicate.table),
          () => [],
          (row) => this.lower(predicate.where, row),
        );
      case "crossSource":
        return this.#compareCrossSource(predicate, row);
      default:
        return assertNever(predicate);
    }
  }

  #related({ relationship, where }: Related, row: Sql): Condition {
    return this.#exists(this.#context.tableOf(relationship.target), this.#joins(relationship, row), (other) =>
      this.lower(where, other),
    );
  }

  /** Refers to the view of the target if it has one, or else contains its row filter. */
  #permitted({ owner, relationship, where }: Permitted, row: Sql): Condition {
    invariant(where !== unresolved, `a row filter follows ${relationship.name} to a permission that was not resolved`);
    const { tableOf, viewed } = this.#context;
    const [own, target] = [tableOf(owner), tableOf(relationship.target)];
    if (viewed?.has(owner) && viewed.has(relationship.target)) {
      return { kind: "readable", owner: own, relationship: relationship.name, target, row: partsOf(row) };
    }
    const condition = this.#exists(target, this.#joins(relationship, row), (other) => {
      const outer = this.#root;
      this.#root = other;
      const inner = this.lower(where, other);
      this.#root = outer;
      return inner;
    });
    return { ...condition, permission: target };
  }

  #joins(relationship: AnalyzedRelationship, row: Sql): (other: Sql) => readonly Condition[] {
    return (other) =>
      relationship.mapping.map(({ local, remote, operator = "=", cast }) => {
        const as = verbatim(cast === undefined ? "" : `::${cast}`);
        return test(sql`${this.#column(other, remote)}${as} ${verbatim(operator)} ${this.#column(row, local)}${as}`);
      });
  }

  /** Selects the rows in the dialect of the other source, and compares the column in the dialect of this source. */
  #compareCrossSource({ column, rows }: CrossSource, row: Sql): Condition {
    const { dialect } = this.#context;
    const { left, type } = this.#operand(column, row);
    const operator = dialect.runtime.dialect.operators(type).find(({ name }) => name === "_in");
    invariant(operator?.kind === "compare", `no lists of values of type ${type.cast}`);
    const values = verbatim("");
    const parts = new Map([[values, lowerCrossSourceRows(rows, dialect, type)]]);
    return { kind: "test", sql: partsOf(operator.sql(left, operator.operand.operand(values)), parts) };
  }

  /**
   * Excludes rows that are NULL in every column: a function that does not return a set returns such a row instead of no
   * row.
   */
  #computedRows({ computed, target, where }: ComputedRows, row: Sql): Condition {
    const isRow = (result: Sql) => (computed.function.returnsSet ? [] : [test(sql`not (${result}.* is null)`)]);
    return this.#exists(
      this.#context.tableOf(target),
      isRow,
      (result) => this.lower(where, result),
      this.#call(computed, row),
    );
  }

  #exists(
    table: QualifiedName,
    joins: (row: Sql) => readonly Condition[],
    where: (row: Sql) => Condition,
    from: Sql = verbatim(`${this.#quote(table.schema)}.${this.#quote(table.name)}`),
  ): Extract<Condition, { kind: "exists" }> {
    const alias = this.#aliases.next(table.name);
    const row = verbatim(alias);
    const condition = combine("all", [...joins(row), where(row)]);
    return { kind: "exists", from: partsOf(from), alias, where: condition };
  }

  /** Calls the function of a computed field with the row, its columns and the session variables as arguments. */
  #call(
    { function: { schema, name, arguments: args }, tableArgument, columnArguments }: AnalyzedComputedField,
    row: Sql,
  ): Sql {
    const { dialect } = this.#context;
    const values = args.map(({ type }, position) => {
      if (position === tableArgument) return sql`${row}.*`;
      const column = columnArguments.get(position);
      if (column !== undefined) return this.#column(row, column);
      return dialect.scalarOf(dialect.scalarCall(type)).operand(parameter(wholeSessionSlot));
    });
    return sql`${verbatim(`${this.#quote(schema)}.${this.#quote(name)}`)}(${joinSql(values, ", ")})`;
  }

  #compare(column: ColumnOperand, name: string, value: Operand, row: Sql): Condition {
    const { left, type } = this.#operand(column, row);
    const operator = this.#context.dialect.runtime.dialect.operators(type).find((row) => row.name === name);
    invariant(operator?.kind === "compare", `no comparison ${name} for type ${type.cast}`);
    // Operands of a type other than the column's (`text`, `lquery`) have immutable input functions.
    const isOfColumn = operator.operand === type || operator.operand.element === type;
    const inText = !isOfColumn || column.cast !== undefined || this.#context.dialect.inputIsImmutable(column.type);
    return test(operator.sql(left, this.#value(operator.operand, value, inText)));
  }

  /** The operand types have immutable input functions. */
  #compareStructured({ column, operator: name, operands }: Structured, row: Sql): Condition {
    const { left, type } = this.#operand(column, row);
    const operator = this.#context.dialect.runtime.dialect.operators(type).find((row) => row.name === name);
    invariant(operator?.kind === "structured", `no operator ${name} with several operands for type ${type.cast}`);
    const values = Object.values(operator.fields).map((field, i) => {
      const operand = operands[i];
      return operand && this.#value(field.type, operand, true);
    });
    return test(operator.sql(left, values));
  }

  #value(type: ScalarType, value: Operand, inText: boolean): Sql {
    return valueSql(type, value, inText, this.#context.dialect);
  }

  /** Returns the left side of a comparison and its type, with the cast applied. */
  #operand(column: ColumnOperand, row: Sql): { readonly left: Sql; readonly type: ScalarType } {
    const { dialect } = this.#context;
    const left = column.computed ? this.#call(column.computed, row) : this.#column(row, column.name);
    const type = dialect.scalarOf(dialect.scalarCall(column.type));
    if (column.cast === undefined) return { left, type };
    const cast = dialect.runtime.dialect.operators(type).find((operator) => operator.kind === "cast");
    invariant(cast?.kind === "cast", `type ${type.cast} has no cast`);
    return { left: cast.sql(left), type: cast.target };
  }

  #column(row: Sql, name: string): Sql {
    return sql`${row}.${verbatim(this.#quote(name))}`;
  }

  #quote(name: string): string {
    return this.#context.dialect.runtime.dialect.quoteIdentifier(name);
  }
}

const isTrue = (condition: Condition): boolean => condition.kind === "all" && condition.items.length === 0;

/**
 * Flattens nested conditions of the same kind and unwraps single items. Simplifies nothing else: a missing session
 * variable must be an error even in a branch that cannot affect the result.
 */
function combine(kind: "all" | "any", conditions: readonly Condition[]): Condition {
  const items = conditions.flatMap((condition) => (condition.kind === kind ? condition.items : [condition]));
  const [only] = items;
  return items.length === 1 && only ? only : { kind, items };
}

function valueSql(type: ScalarType, value: Operand, inText: boolean, dialect: Dialect): Sql {
  if (value.kind === "session") return (type.sessionOperand ?? type.operand)(parameter(sessionSlot(value.variable)));
  const text = type.encode(value.value, "$");
  if (text === null) return type.operand(verbatim("null"));
  return type.operand(inText ? dialect.runtime.dialect.textLiteral(text) : constant(text));
}

function test(comparison: Sql): Condition {
  return { kind: "test", sql: partsOf(comparison) };
}

/**
 * @param own the dialect of the statement that compares with the values
 * @param type the type of the compared column
 */
function lowerCrossSourceRows(rows: CrossSourceRows, own: Dialect, type: ScalarType): CrossSourceIr {
  const { source, kind, table, column, tables } = rows;
  const dialect = dialectOf(kind);
  const quote = (name: string) => dialect.runtime.dialect.quoteIdentifier(name);
  const tableOf = (key: string): QualifiedName => {
    const named = tables[key];
    invariant(named, `a row filter refers to table ${key} of source ${source}, which is not tracked`);
    return named;
  };
  const where = lowerPredicate(rows.where, { dialect, tableOf });
  return {
    kind: "crossSource",
    own: own.runtime.name,
    table: { source, ...table },
    dialect: dialect.runtime.name,
    from: `${quote(table.schema)}.${quote(table.name)}`,
    column: quote(column),
    type: dialect.scalarCall(rows.type),
    ...(type.json && { json: true }),
    ...(where && { where }),
  };
}

/**
 * Splits a fragment into parts.
 * @param placeholders fragments to replace by other parts, recognised by identity like `rootRow`
 */
function partsOf(fragment: Sql, placeholders: ReadonlyMap<Sql, SqlPart> = new Map()): readonly SqlPart[] {
  const parts: SqlPart[] = [];
  const add = (part: Sql | string | ParameterSlot): void => {
    const last = parts.at(-1);
    if (typeof part === "string") {
      if (typeof last === "string") parts[parts.length - 1] = last + part;
      else if (part !== "") parts.push(part);
    } else if (part === rootRow) {
      parts.push({ kind: "row" });
    } else if (part instanceof Sql) {
      const replacement = placeholders.get(part);
      if (replacement) parts.push(replacement);
      else for (const inner of part.parts) add(inner);
    } else {
      parts.push(parameterPart(part));
    }
  };
  add(fragment);
  return parts;
}

function parameterPart(slot: ParameterSlot): SqlPart {
  if (slot.kind === "session") return { kind: "session", variable: slot.variable };
  if (slot.kind === "whole_session") return { kind: "whole_session" };
  invariant(slot.kind === "value" && slot.source.kind === "constant", "a permission has no variables");
  return { kind: "constant", text: String(slot.source.value) };
}
