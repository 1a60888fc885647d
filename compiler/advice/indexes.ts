/** Finds comparisons of row filters and joins that no index of the database can serve. */
import { type AnalyzedSource, qualifiedKey } from "../2-analyze/analysis.ts";
import type { AnalyzedTable, Predicate } from "../2-analyze/analyzed-table.ts";
import type { TableMap } from "../2-analyze/table-map.ts";
import type { SourceKind } from "../catalog/model.ts";
import { dialectOf } from "../dialects/index.ts";
import type { IndexFact, ReviewFacts } from "../shape/review-facts.ts";
import { type MissingIndex, missingIndexes } from "./index-uses.ts";
import type { AdviceInput, Severity } from "./model.ts";
import type { IndexUse, VerifiedUses } from "./verified-uses.ts";

/** A scan of a table with fewer rows is a note only. */
export const smallTableRows = 1_000;

/** Yields the sources whose indexes are known. */
export function* indexedSources({
  analysis,
  facts,
  verified,
}: Pick<AdviceInput, "analysis" | "facts" | "verified">): Iterable<readonly [AnalyzedSource, Indexes]> {
  for (const source of analysis.sources.values()) {
    const found = facts.get(source.name);
    if (found !== undefined) yield [source, new Indexes(found, source.tables, verified?.get(source.name))];
  }
}

/** Why each request reads the whole table, and the severity of it. */
interface TableScan {
  /** A clause that follows the comparison or the join. */
  readonly reason: string;
  readonly severity: Severity;
  /** An index that the database does not use, although its columns fit. */
  readonly unused?: IndexFact;
}

/** The indexes of a source. */
export class Indexes {
  readonly #byTable = new Map<string, IndexFact[]>();
  readonly #tables: TableMap;
  readonly #verified: VerifiedUses | undefined;

  constructor({ indexes }: ReviewFacts, tables: TableMap, verified?: VerifiedUses) {
    this.#tables = tables;
    this.#verified = verified;
    for (const index of indexes) {
      const key = qualifiedKey(index.table);
      const others = this.#byTable.get(key);
      if (others === undefined) this.#byTable.set(key, [index]);
      else others.push(index);
    }
  }

  /**
   * Returns true if the database uses an index for a comparison or join. Without a database at hand: if an index begins
   * with one of the columns, covers all rows in which the column has a value, and has the column's collation.
   */
  serves(table: AnalyzedTable, columns: readonly string[], use: IndexUse): boolean {
    return this.#verified?.served.get(use) ?? this.#beginningWith(table, columns).some(isGeneral);
  }

  missing(table: AnalyzedTable, filter: Predicate): readonly MissingIndex[] {
    return missingIndexes(table, filter, this.#tables, (target, use) => this.serves(target, [use.column.name], use));
  }

  /**
   * Describes the effect of a missing index.
   * @param requests the requests that need it: `each request`
   */
  scan({ table, columns }: MissingIndex, requests: string): TableScan {
    const rows = this.#verified?.smallTables.get(table.key);
    const candidates = this.#beginningWith(table, columns);
    const unused = candidates.find((each) => isGeneral(each) && each.operatorClass === undefined);
    const candidate = unused ?? candidates[0];
    const reads = `${requests} reads the whole table${rows === undefined ? "" : `, which has about ${rows} rows`}`;
    return {
      reason: `${candidate === undefined ? `no index of ${table.displayName} begins with ${columns.join(", ")}` : obstacleOf(candidate, table)}: ${reads}`,
      severity: rows === undefined ? "warning" : "note",
      ...(unused && { unused }),
    };
  }

  #beginningWith({ key }: AnalyzedTable, columns: readonly string[]): readonly IndexFact[] {
    const indexes = this.#byTable.get(key) ?? [];
    return indexes.filter(({ columns: [first] }) => first !== undefined && columns.includes(first));
  }
}

/** Returns true if an index can serve equality of its first column in every row in which it has a value. */
function isGeneral({ columns: [first = ""], condition, collation }: IndexFact): boolean {
  return collation === undefined && (condition === undefined || isNotNullOf(condition, first));
}

function obstacleOf({ name, condition, collation, operatorClass }: IndexFact, { displayName }: AnalyzedTable): string {
  const index = `the index ${name} of ${displayName}`;
  if (collation !== undefined) return `${index} has the collation ${collation} instead of the column's`;
  if (condition !== undefined) return `${index} contains only rows with ${condition}`;
  if (operatorClass !== undefined) return `${index} has the operator class ${operatorClass}, which does not serve it`;
  return `the database does not use ${index} for it`;
}

/** Returns true for the printed condition `(column IS NOT NULL)`, which every comparison for equality implies. */
function isNotNullOf(condition: string, column: string): boolean {
  const printed = [column, `"${column.replaceAll('"', '""')}"`, `[${column.replaceAll("]", "]]")}]`];
  return printed.some((name) => condition === `(${name} IS NOT NULL)`);
}

/** Maximum length of names in SQL Server. */
const maxNameLength = 128;

/** Returns the statement that creates an index. */
export function createIndex(kind: SourceKind, { table, columns }: Pick<MissingIndex, "table" | "columns">): string {
  const { runtime, namedIndexes } = dialectOf(kind);
  const quote = (name: string): string => runtime.dialect.quoteIdentifier(name);
  const { schema, name } = table.table.table;
  const index = namedIndexes ? `${quote(["ix", name, ...columns].join("_").slice(0, maxNameLength))} ` : "";
  return `create an index: CREATE INDEX ${index}ON ${quote(schema)}.${quote(name)} (${columns.map(quote).join(", ")})`;
}
