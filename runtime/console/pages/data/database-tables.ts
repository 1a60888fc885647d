/** The tables of each database, tracked or not, as they were when the page was opened or something was created. */
import { signal } from "@preact/signals";
import { type ApiError, asApiError } from "../../http/api-error.ts";
import { sourceTables } from "../../http/data-api.ts";
import type { QualifiedName, Source } from "../../http/metadata-types.ts";

export interface DatabaseTables {
  readonly tables: readonly QualifiedName[];
  /** The database was not reached. */
  readonly error: ApiError | null;
}

/** By source; one that is missing was not asked yet. */
export const databaseTables = signal<Readonly<Record<string, DatabaseTables>>>({});

/** Never rejects. */
export async function loadDatabaseTables({ name, kind }: Pick<Source, "name" | "kind">): Promise<void> {
  const found = await sourceTables(name, kind).then(
    (tables): DatabaseTables => ({ tables, error: null }),
    (error: unknown): DatabaseTables => ({ tables: [], error: asApiError(error) }),
  );
  databaseTables.value = { ...databaseTables.value, [name]: found };
}

export const keyOf = ({ schema, name }: QualifiedName): string => JSON.stringify([schema, name]);

/** In the database, and not in the metadata. */
export function untrackedTables(source: Source): readonly QualifiedName[] {
  const tracked = new Set(source.tables.map(({ table }) => keyOf(table)));
  return (databaseTables.value[source.name]?.tables ?? []).filter((table) => !tracked.has(keyOf(table)));
}
