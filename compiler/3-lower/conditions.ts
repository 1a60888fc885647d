/**
 * Row filters: bound predicates → conditions of SQL. The text of a comparison comes from the operator table that
 * requests use, so that a permission and a `where` mean the same.
 */
import { constant } from "../../runtime/model/definitions/constant.ts";
import { type ParameterSlot, sessionSlot, wholeSessionSlot } from "../../runtime/model/definitions/parameters.ts";
import { compared, type ScalarType } from "../../runtime/model/definitions/scalar-type.ts";
import { joinSql, parameter, Sql, sql, verbatim } from "../../runtime/model/definitions/sql.ts";
import { assertNever, invariant } from "../../runtime/values/errors.ts";
import type {
  AnalyzedComputedField,
  ColumnOperand,
  Operand,
  Predicate,
  RowsElsewhere,
} from "../2-analyze/analyzed-table.ts";
import type { QualifiedName } from "../catalog/model.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { dialectOf } from "../dialects/index.ts";
import type { TypeRef } from "../shape/shape.ts";
import { AliasNames } from "./alias-names.ts";
import type { Condition, ElsewhereIr, SqlPart } from "./ir.ts";

export interface ConditionContext {
  readonly dialect: Dialect;
  /** The table behind a key that the predicate names. */
  readonly tableOf: (key: string) => QualifiedName;
}

/** The condition of a predicate on one row; `undefined` where it holds for every row. */
export function lowerPredicate(predicate: Predicate, context: ConditionContext): Condition | undefined {
  const condition = new Lowering(context).lower(predicate, rootRow);
  return isTrue(condition) ? undefined : withConstants(condition, context.dialect);
}

/** A condition for every row, where one has to stand. */
export const alwaysTrue = ({ runtime }: Dialect): Condition => test(runtime.dialect.always);

/** A conjunction or disjunction of nothing, inside another condition, as the database spells it. */
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
    case "test":
      return condition;
  }
}

/** A value that a permission sets, cast to the type of its column. */
export function lowerValue(value: Operand, type: TypeRef, dialect: Dialect): readonly SqlPart[] {
  const scalar = dialect.scalarOf(dialect.scalarCall(type));
  return partsOf(valueSql(scalar, value, dialect.inputIsImmutable(type), dialect));
}

/** Stands for the row that the whole condition is about; recognised by identity when SQL is taken apart. */
const rootRow = verbatim("");

type Related = Extract<Predicate, { kind: "related" }>;
type ComputedRows = Extract<Predicate, { kind: "computed_rows" }>;
type Elsewhere = Extract<Predicate, { kind: "elsewhere" }>;
type Structured = Extract<Predicate, { kind: "compare_structured" }>;

class Lowering {
  readonly #context: ConditionContext;
  readonly #aliases = new AliasNames();

  constructor(context: ConditionContext) {
    this.#context = context;
  }

  /** @param row what stands before the dot of a column of the table that the predicate is about */
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
        const other = this.#column(right.of === "root" ? rootRow : row, right.column);
        const { left: own, type } = this.#operand(left, row);
        return test(compared(own, operator, other, type));
      }
      case "related":
        return this.#related(predicate, row);
      case "computed_rows":
        return this.#computedRows(predicate, row);
      case "exists":
        return this.#exists(this.#context.tableOf(predicate.table), () => [], predicate.where);
      case "elsewhere":
        return this.#compareElsewhere(predicate, row);
      default:
        return assertNever(predicate);
    }
  }

  #related({ relationship, where }: Related, row: Sql): Condition {
    const joins = (other: Sql) =>
      relationship.mapping.map(({ local, remote, operator = "=", cast }) => {
        const as = verbatim(cast === undefined ? "" : `::${cast}`);
        return test(sql`${this.#column(other, remote)}${as} ${verbatim(operator)} ${this.#column(row, local)}${as}`);
      });
    return this.#exists(this.#context.tableOf(relationship.target), joins, where);
  }

  /** The rows of the other source are found by its own rules; the column is compared by those of this one. */
  #compareElsewhere({ column, rows }: Elsewhere, row: Sql): Condition {
    const { dialect } = this.#context;
    const { left, type } = this.#operand(column, row);
    const operator = dialect.runtime.dialect.operators(type).find(({ name }) => name === "_in");
    invariant(operator?.kind === "compare", `no lists of values of type ${type.cast}`);
    const values = verbatim("");
    const parts = new Map([[values, lowerRowsElsewhere(rows, dialect, type)]]);
    return { kind: "test", sql: partsOf(operator.sql(left, operator.operand.operand(values)), parts) };
  }

  /** Without a row to give, a function gives one of NULLs, unless it gives a set. */
  #computedRows({ computed, target, where }: ComputedRows, row: Sql): Condition {
    const isRow = (found: Sql) => (computed.function.returnsSet ? [] : [test(sql`not (${found}.* is null)`)]);
    return this.#exists(this.#context.tableOf(target), isRow, where, this.#call(computed, row));
  }

  #exists(
    table: QualifiedName,
    joins: (row: Sql) => readonly Condition[],
    where: Predicate,
    from: Sql = verbatim(`${this.#quote(table.schema)}.${this.#quote(table.name)}`),
  ): Condition {
    const alias = this.#aliases.next(table.name);
    const row = verbatim(alias);
    const condition = combine("all", [...joins(row), this.lower(where, row)]);
    return { kind: "exists", from: partsOf(from), alias, where: condition };
  }

  /** A computed field of a row; nothing but the row and the session variables go into it. */
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
    // Operators with an operand of their own type (`text`, `lquery`) take what always means the same.
    const isOfColumn = operator.operand === type || operator.operand.element === type;
    const inText = !isOfColumn || column.cast !== undefined || this.#context.dialect.inputIsImmutable(column.type);
    return test(operator.sql(left, this.#value(operator.operand, value, inText)));
  }

  /** The operands have types of their own, whose constants always mean the same. */
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

  /** The left side of a comparison and its type, after a cast if there is one. */
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
 * Nested conditions of the same kind become one, and what adds nothing is left out. Nothing else is simplified: a
 * missing session variable is an error, also in a branch that cannot matter (`permissions-and-auth.md` 8).
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

/** @param own the dialect of the statement that compares with the values @param type what they are compared with */
function lowerRowsElsewhere(rows: RowsElsewhere, own: Dialect, type: ScalarType): ElsewhereIr {
  const { source, kind, table, column, tables } = rows;
  const dialect = dialectOf(kind);
  const quote = (name: string) => dialect.runtime.dialect.quoteIdentifier(name);
  const tableOf = (key: string): QualifiedName => {
    const named = tables[key];
    invariant(named, `a row filter names the table ${key} of source ${source}, which is not tracked`);
    return named;
  };
  const where = lowerPredicate(rows.where, { dialect, tableOf });
  return {
    kind: "elsewhere",
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

/** A fragment taken apart. @param known fragments that stand for other parts; recognised by identity, as `rootRow` is */
function partsOf(fragment: Sql, known: ReadonlyMap<Sql, SqlPart> = new Map()): readonly SqlPart[] {
  const parts: SqlPart[] = [];
  const add = (part: Sql | string | ParameterSlot): void => {
    const last = parts.at(-1);
    if (typeof part === "string") {
      if (typeof last === "string") parts[parts.length - 1] = last + part;
      else if (part !== "") parts.push(part);
    } else if (part === rootRow) {
      parts.push({ kind: "row" });
    } else if (part instanceof Sql) {
      const whole = known.get(part);
      if (whole) parts.push(whole);
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
