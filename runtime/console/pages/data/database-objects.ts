/** Tables and functions of each database, tracked or not. */
import { signal } from "@preact/signals";
import { type ApiError, asApiError } from "../../http/api-error.ts";
import { type DatabaseFunction, type DatabaseTable, describeSource } from "../../http/data-api.ts";
import type { Source } from "../../http/metadata-types.ts";
import { capitalized } from "../../parts/cell-text.ts";
import { keyOf } from "../../parts/table-name.ts";

export interface DatabaseObjects {
  readonly tables: readonly DatabaseTable[];
  readonly functions: readonly DatabaseFunction[];
  /** Error of the last load. */
  readonly error: ApiError | null;
}

/** Loaded objects by source name. */
export const databaseObjects = signal<Readonly<Record<string, DatabaseObjects>>>({});

/** Loads the objects of a database. Never rejects; errors are stored in the entry of the source. */
export async function loadDatabaseObjects({ name, kind }: Pick<Source, "name" | "kind">): Promise<void> {
  const found = await describeSource(name, kind).then(
    (objects): DatabaseObjects => ({ ...objects, error: null }),
    (error: unknown): DatabaseObjects => ({ tables: [], functions: [], error: asApiError(error) }),
  );
  databaseObjects.value = { ...databaseObjects.value, [name]: found };
}

/** Returns the tables of the database that are not tracked. */
export function untrackedTables(source: Source): readonly DatabaseTable[] {
  const tracked = new Set(source.tables.map(({ table }) => keyOf(table)));
  return (databaseObjects.value[source.name]?.tables ?? []).filter((table) => !tracked.has(keyOf(table)));
}

/** Returns the label of a kind of table, such as "Materialized view"; empty for ordinary tables. */
export const kindText = (kind: string): string => (kind === "table" ? "" : capitalized(kind.replaceAll("_", " ")));
