/** Splits row filters into parts that can be evaluated for one row, each with its expression in the metadata. */
import { assertNever } from "../../runtime/values/errors.ts";
import type { ColumnOperand, Operand, Predicate } from "../2-analyze/analyzed-table.ts";
import type { Json, JsonObject } from "../catalog/model.ts";
import { printName } from "../catalog/schema/names.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { ExplainedPart } from "./explanation.ts";

/** A part of a row filter that can be evaluated. */
export interface FilterPart extends ExplainedPart {
  /** Condition on the filtered row: inside a relationship, that a related row meets the part. */
  readonly condition: Predicate;
  readonly parts: readonly FilterPart[];
}

/** Returns the parts of the merged filters or checks of several roles: one part for each role. */
export function mergedParts(
  parents: readonly { readonly role: string; readonly condition: Predicate }[],
  dialect: Dialect,
): FilterPart {
  const parts = parents.map(({ role, condition }) => ({ ...filterParts(condition, dialect), role }));
  const items = parents.map(({ condition }) => condition);
  return { expression: { _or: parts.map(({ expression }) => expression) }, condition: { kind: "or", items }, parts };
}

export function filterParts(predicate: Predicate, dialect: Dialect): FilterPart {
  return new FilterReader(dialect).part(predicate, (condition) => condition);
}

/** Returns true if a condition on a row of a table also reads other rows of the table. @param table key of the table */
export function readsTable(condition: Predicate, table: string): boolean {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.items.some((item) => readsTable(item, table));
    case "not":
      return readsTable(condition.item, table);
    case "related":
    case "permitted":
      return condition.relationship.target === table || readsTable(condition.where, table);
    case "computed_rows":
      return condition.target === table || readsTable(condition.where, table);
    case "exists":
      return condition.table === table || readsTable(condition.where, table);
    default:
      return false;
  }
}

/** Returns the condition on the filtered row for a condition on a row that a part leads to. */
type OnFilteredRow = (condition: Predicate) => Predicate;

class FilterReader {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  part(predicate: Predicate, onFilteredRow: OnFilteredRow): FilterPart {
    return {
      expression: this.#expression(predicate),
      condition: onFilteredRow(predicate),
      ...(predicate.kind === "permitted" && { permission: this.#nameOf(predicate.relationship.target) }),
      parts: this.#parts(predicate, onFilteredRow),
    };
  }

  #parts(predicate: Predicate, onFilteredRow: OnFilteredRow): readonly FilterPart[] {
    switch (predicate.kind) {
      case "and":
      case "or":
        return predicate.items.map((item) => this.part(item, onFilteredRow));
      case "not":
        return [this.part(predicate.item, onFilteredRow)];
      case "related":
      case "permitted":
      case "exists":
      case "computed_rows": {
        const { where } = predicate;
        if (where.kind === "and" && where.items.length === 0) return [];
        return [this.part(where, (condition) => onFilteredRow({ ...predicate, where: condition }))];
      }
      default:
        return [];
    }
  }

  #expression(predicate: Predicate): Json {
    switch (predicate.kind) {
      case "and":
      case "or": {
        const items = predicate.items.map((item) => this.#expression(item));
        if (predicate.kind === "or") return { _or: items };
        return items.length === 0 ? {} : { _and: items };
      }
      case "not":
        return { _not: this.#expression(predicate.item) };
      case "is_null":
        return onColumn(predicate.column, { _is_null: !predicate.negated });
      case "compare":
        return onColumn(predicate.column, { [predicate.operator]: operandJson(predicate.operand) });
      case "compare_structured":
        return onColumn(predicate.column, { [predicate.operator]: this.#structured(predicate) });
      case "compare_columns": {
        const { left, operator, right } = predicate;
        const other = right.of === "root" ? ["$", right.column] : right.column;
        return onColumn(left, { [columnOperators[operator]]: other });
      }
      case "related":
        return { [predicate.relationship.name]: this.#expression(predicate.where) };
      case "permitted":
        return { _permitted: { relationship: predicate.relationship.name, operation: "select" } };
      case "computed_rows":
        return { [predicate.computed.name]: this.#expression(predicate.where) };
      case "exists":
        return { _exists: { _table: nameIn(predicate.table), _where: this.#expression(predicate.where) } };
      case "crossSource": {
        const { source, table, column, where } = predicate.rows;
        const values = { _source: source, _table: { ...table }, _column: column, _where: this.#expression(where) };
        return onColumn(predicate.column, { _in: values });
      }
      default:
        return assertNever(predicate);
    }
  }

  #nameOf(key: string): string {
    return printName(nameIn(key), this.#dialect.defaultSchema);
  }

  #structured({ column, operator, operands }: Extract<Predicate, { kind: "compare_structured" }>): Json {
    const type = this.#dialect.scalarOf(this.#dialect.scalarCall(column.type));
    const row = this.#dialect.runtime.dialect.operators(type).find(({ name }) => name === operator);
    const names = row?.kind === "structured" ? Object.keys(row.fields) : [];
    return Object.fromEntries(
      operands.flatMap((operand, i) => (operand === undefined ? [] : [[names[i] ?? String(i), operandJson(operand)]])),
    );
  }
}

function onColumn({ name, cast }: ColumnOperand, comparison: JsonObject): JsonObject {
  return { [name]: cast === undefined ? comparison : { _cast: { [cast]: comparison } } };
}

/** Returns the name in the key of a table, which escapes dots and backslashes. */
function nameIn(key: string) {
  const [schema = "", name = ""] = (key.match(/(?:\\.|[^.\\])+/g) ?? []).map((part) => part.replace(/\\(.)/g, "$1"));
  return { schema, name };
}

const operandJson = (operand: Operand): Json => (operand.kind === "session" ? operand.variable : operand.value);

const columnOperators = { "=": "_ceq", "<>": "_cne", ">": "_cgt", "<": "_clt", ">=": "_cgte", "<=": "_clte" } as const;
