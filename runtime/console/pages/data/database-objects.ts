/** Tables and functions of each database, tracked or not, as they were when the page was opened or something was created. */
import { signal } from "@preact/signals";
import { type ApiError, asApiError } from "../../http/api-error.ts";
import { type DatabaseFunction, type DatabaseTable, describeSource } from "../../http/data-api.ts";
import type { QualifiedName, Source } from "../../http/metadata-types.ts";

export interface DatabaseObjects {
  readonly tables: readonly DatabaseTable[];
  readonly functions: readonly DatabaseFunction[];
  /** The database was not reached. */
  readonly error: ApiError | null;
}

/** By source; one that is missing was not asked yet. */
export const databaseObjects = signal<Readonly<Record<string, DatabaseObjects>>>({});

/** Never rejects. */
export async function loadDatabaseObjects({ name, kind }: Pick<Source, "name" | "kind">): Promise<void> {
  const found = await describeSource(name, kind).then(
    (objects): DatabaseObjects => ({ ...objects, error: null }),
    (error: unknown): DatabaseObjects => ({ tables: [], functions: [], error: asApiError(error) }),
  );
  databaseObjects.value = { ...databaseObjects.value, [name]: found };
}

export const keyOf = ({ schema, name }: QualifiedName): string => JSON.stringify([schema, name]);

/** In the database, and not in the metadata. */
export function untrackedTables(source: Source): readonly DatabaseTable[] {
  const tracked = new Set(source.tables.map(({ table }) => keyOf(table)));
  return (databaseObjects.value[source.name]?.tables ?? []).filter((table) => !tracked.has(keyOf(table)));
}

/** Tables without a word, for what is most usual. */
export const kindText = (kind: string): string => (kind === "table" ? "" : kind.replaceAll("_", " "));
