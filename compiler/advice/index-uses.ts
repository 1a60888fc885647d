/**
 * Comparisons of row filters and joins that need an index, and the statements whose plans show whether the database has
 * one for them.
 */

import { joinSql, renderWith, type Sql, sql, verbatim } from "../../runtime/model/definitions/sql.ts";
import { invariant } from "../../runtime/values/errors.ts";
import type { AnalyzedSource } from "../2-analyze/analysis.ts";
import type { AnalyzedRelationship, AnalyzedTable, Predicate } from "../2-analyze/analyzed-table.ts";
import { partsOf } from "../2-analyze/predicate-parts.ts";
import type { TableMap } from "../2-analyze/table-map.ts";
import { conditionSql } from "../3-lower/condition-sql.ts";
import { lowerPredicate } from "../3-lower/conditions.ts";
import type { IndexPlans } from "../dialects/dialect.ts";
import { dialectOf } from "../dialects/index.ts";
import type { Comparison, IndexUse } from "./verified-uses.ts";

/** Statements that select the rows of a use: an index serves it if the plan of one of them compares a column in it. */
export interface IndexQuestion {
  readonly use: IndexUse;
  readonly columns: readonly string[];
  readonly statements: readonly string[];
}

/** Alias of the table in the statements. */
export const questionAlias = "engine_advised";

const row = verbatim(questionAlias);

/** Yields the uses of a source that an index can serve. */
export function* indexQuestions(source: AnalyzedSource, plans: IndexPlans): Iterable<IndexQuestion> {
  const writer = new StatementWriter(source, plans);
  for (const table of source.tables.values()) {
    const { select, update, delete: removal } = table;
    for (const { filter } of [...select.values(), ...update.values(), ...removal.values()]) {
      for (const { use, ...comparison } of comparisonsIn(table, filter, source.tables)) {
        const statements = [use, ...comparison.conditions].map((each) => writer.filter(comparison.table, each));
        yield { use, columns: [use.column.name], statements: [...new Set(statements)] };
      }
    }
    for (const use of table.relationships.values()) {
      const target = joinTarget(source.tables, use);
      if (target === undefined) continue;
      const columns = use.mapping.map(({ remote }) => remote);
      yield { use, columns, statements: [writer.join(table, target, use)] };
    }
  }
}

interface FilterComparison {
  readonly table: AnalyzedTable;
  readonly use: Comparison;
  /** The filter that contains the comparison, unless it refers to another row. */
  readonly conditions: readonly Predicate[];
}

function comparisonsIn(table: AnalyzedTable, filter: Predicate, tables: TableMap): readonly FilterComparison[] {
  const found: FilterComparison[] = [];
  missingIndexes(table, filter, tables, (target, use, whole) => {
    found.push({ table: target, use, conditions: whole !== filter && refersToRoot(whole) ? [] : [whole] });
    return false;
  });
  return found;
}

function refersToRoot(predicate: Predicate): boolean {
  return [...partsOf(predicate)].some((part) => part.kind === "compare_columns" && part.right.of === "root");
}

/** Columns that an index of the table should begin with. */
export interface MissingIndex {
  readonly table: AnalyzedTable;
  readonly columns: readonly string[];
  readonly use: IndexUse;
}

/** @param whole the conjunction on the table that contains the comparison */
type IsServed = (table: AnalyzedTable, use: Comparison, whole: Predicate) => boolean;

/**
 * Returns the missing indexes of a filter: none if an index serves it, or if no index can. A comparison for equality
 * with a session variable needs one; constants usually select too many rows.
 */
export function missingIndexes(
  table: AnalyzedTable,
  filter: Predicate,
  tables: TableMap,
  isServed: IsServed,
): readonly MissingIndex[] {
  const own = missingOn(table, filter, filter, isServed) ?? [];
  const elsewhere = [...partsOf(filter)].flatMap((part) => {
    const target = part.kind === "exists" ? tables.get(part.table) : undefined;
    return part.kind === "exists" && target ? (missingOn(target, part.where, part.where, isServed) ?? []) : [];
  });
  return [...own, ...elsewhere];
}

/** Returns `undefined` if no index on the table itself helps the condition. */
function missingOn(
  table: AnalyzedTable,
  condition: Predicate,
  whole: Predicate,
  isServed: IsServed,
): readonly MissingIndex[] | undefined {
  if (!isIndexable(table)) return undefined;
  switch (condition.kind) {
    case "and": {
      const helped = condition.items
        .map((item) => missingOn(table, item, whole, isServed))
        .filter((each) => each !== undefined);
      return helped.find((each) => each.length === 0) ?? helped[0];
    }
    case "or": {
      const found: MissingIndex[] = [];
      for (const item of condition.items) {
        const own = missingOn(table, item, whole, isServed);
        if (own === undefined) return undefined;
        found.push(...own);
      }
      return found;
    }
    case "compare": {
      const { column, operator, operand } = condition;
      const isEquality = operator === "_eq" || operator === "_in";
      if (!isEquality || operand.kind !== "session" || column.computed || column.cast !== undefined) return undefined;
      return isServed(table, condition, whole) ? [] : [{ table, columns: [column.name], use: condition }];
    }
    default:
      return undefined;
  }
}

/** Views have no indexes, and those of foreign tables are not known. */
function isIndexable({ shape: { kind }, table: { is_enum } }: AnalyzedTable): boolean {
  return is_enum !== true && (kind === "table" || kind === "partitioned_table" || kind === "materialized_view");
}

/**
 * Returns the table whose index a relationship needs; `undefined` if it needs none. Joins of converted values cannot use
 * an index of the column.
 */
export function joinTarget(tables: TableMap, { target, mapping }: AnalyzedRelationship): AnalyzedTable | undefined {
  const table = tables.get(target);
  const isJoin = mapping.length > 0 && mapping.every(({ cast }) => cast === undefined);
  return table !== undefined && isJoin && isIndexable(table) ? table : undefined;
}

/** Writes statements without values: values of sessions and rows are not known when they are planned. */
class StatementWriter {
  readonly #source: AnalyzedSource;
  readonly #plans: IndexPlans;

  constructor(source: AnalyzedSource, plans: IndexPlans) {
    this.#source = source;
    this.#plans = plans;
  }

  filter(table: AnalyzedTable, condition: Predicate): string {
    const dialect = dialectOf(this.#source.source.kind);
    const lowered = lowerPredicate(condition, { dialect, tableOf: (key) => this.#tableOf(key).table.table });
    invariant(lowered, "a comparison is not true for every row");
    return this.#render(table, conditionSql(lowered, row));
  }

  /** Compares with columns of an unknown row, which have their types and collations. */
  join(table: AnalyzedTable, target: AnalyzedTable, { mapping }: AnalyzedRelationship): string {
    const conditions = mapping.map(({ local, remote, operator = "=" }) => {
      const value = sql`(select ${this.#quoted(local)} from ${this.#table(table)} limit 1)`;
      return sql`${row}.${this.#quoted(remote)} ${verbatim(operator)} ${value}`;
    });
    return this.#render(target, joinSql(conditions, " and "));
  }

  #render(table: AnalyzedTable, condition: Sql): string {
    const select = sql`select 1 from ${this.#table(table)} ${row} where ${condition}`;
    return renderWith(select, () => this.#plans.unknownValue).text;
  }

  #tableOf(key: string): AnalyzedTable {
    const table = this.#source.tables.get(key);
    invariant(table, `a row filter refers to the table ${key}, which is not tracked`);
    return table;
  }

  #table({ table: { table } }: AnalyzedTable): Sql {
    return sql`${this.#quoted(table.schema)}.${this.#quoted(table.name)}`;
  }

  #quoted(name: string): Sql {
    return verbatim(dialectOf(this.#source.source.kind).runtime.dialect.quoteIdentifier(name));
  }
}
