/** Facts about a table that its description lacks: defaults, definitions of constraints, sizes and use of indexes. */
import type { TableInfo } from "../../../http/data-api.ts";
import { runSql, type SqlRows } from "../../../http/metadata-api.ts";
import type { QualifiedName, Source } from "../../../http/metadata-types.ts";
import type { ColumnDefinition } from "./sql-text.ts";
import { sqlTextOf } from "./sql-texts.ts";

interface ColumnFacts {
  /** SQL type with its length and precision. */
  readonly type: string;
  /** Default as SQL; empty for none. */
  readonly initial: string;
  /** `generated` if an expression computes the column. */
  readonly generation: "identity" | "generated" | null;
}

export interface ConstraintFacts {
  readonly name: string;
  /** `primary key`, `unique`, `foreign key`, `check` or `exclusion`. */
  readonly type: string;
  /** SQL after the name of the constraint. */
  readonly definition: string;
}

export interface TableFacts {
  readonly columns: ReadonlyMap<string, ColumnFacts>;
  readonly constraints: readonly ConstraintFacts[];
}

export interface IndexUsage {
  readonly bytes: number;
  /** Number of scans since the statistics of the database were reset. */
  readonly uses: number;
}

const read = (source: Source, sql: string): Promise<SqlRows> =>
  runSql({ source: source.name, kind: source.kind, sql, readOnly: true });

/** Returns the rows of a result as objects. The queries return no null, which `run_sql` returns as the text `NULL`. */
function records(rows: SqlRows): readonly Readonly<Record<string, string | null>>[] {
  const [names = [], ...values] = rows ?? [];
  return values.map((row) => Object.fromEntries(names.map((name, at) => [name ?? "", row[at] ?? null])));
}

/** @throws ApiError */
export async function readFacts(source: Source, table: QualifiedName): Promise<TableFacts> {
  const columns = new Map<string, ColumnFacts>();
  const constraints: ConstraintFacts[] = [];
  for (const { section, name, first, second, third } of records(
    await read(source, sqlTextOf(source.kind).factsQuery(table)),
  )) {
    if (section === "constraint") {
      constraints.push({ name: name ?? "", type: first ?? "", definition: second ?? "" });
    } else if (section === "column") {
      const generation = third === "identity" || third === "generated" ? third : null;
      columns.set(name ?? "", { type: first ?? "", initial: second ?? "", generation });
    }
  }
  return { columns, constraints };
}

/** Returns size and use of each index of a table by its name. @throws ApiError */
export async function readUsage(source: Source, table: QualifiedName): Promise<ReadonlyMap<string, IndexUsage>> {
  const rows = records(await read(source, sqlTextOf(source.kind).usageQuery(table)));
  return new Map(rows.map(({ name, bytes, uses }) => [name ?? "", { bytes: Number(bytes), uses: Number(uses) }]));
}

/** Returns the types of a database: common ones, then those of users. Never rejects. */
export async function readTypes(source: Source): Promise<readonly string[]> {
  const { types, typesQuery } = sqlTextOf(source.kind);
  if (typesQuery === "") return types;
  const own = await read(source, typesQuery).then(records, () => []);
  return [...types, ...own.map(({ type }) => type ?? "")];
}

/** Returns the definitions of the columns of a table. */
export const definitionsOf = (info: TableInfo, facts: TableFacts | null): readonly ColumnDefinition[] =>
  info.columns.map(({ name, type, nullable, description = "" }) => {
    const known = facts?.columns.get(name);
    return {
      name,
      type: known?.type ?? type,
      isNullable: nullable,
      initial: known?.generation === null ? known.initial : "",
      isIdentity: known?.generation === "identity",
      comment: description,
    };
  });
