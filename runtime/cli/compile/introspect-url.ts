import { introspect } from "../../../compiler/1-introspect/introspect.ts";
import type { QualifiedName, Source, SourceKind } from "../../../compiler/catalog/model.ts";
import type { Dialect, Query } from "../../../compiler/dialects/dialect.ts";
import { dialectOf } from "../../../compiler/dialects/index.ts";
import type { Shape } from "../../../compiler/shape/shape.ts";
import { openSource } from "../../databases/sources/open-source.ts";
import type { DatabaseSource } from "../../databases/sources/source.ts";

/**
 * Reads the Shape of a database, with hashes of its SQL definitions.
 * @param enumTables tables whose rows are included
 * @throws EngineError if the database is unreachable or cannot be read
 */
export async function introspectUrl(
  url: string,
  kind: SourceKind,
  enumTables: readonly QualifiedName[] = [],
): Promise<Shape> {
  const dialect = dialectOf(kind);
  const connectionInfo = { database_url: url, pool_settings: { max_connections: 1 } };
  const database = openSource({ name: "default", kind, connectionInfo }, { variables: process.env });
  try {
    return await readShape(database, dialect, enumTables);
  } finally {
    await database.close();
  }
}

/** Reads the Shape of an open source, with hashes of its SQL definitions. */
export function readShape(
  database: DatabaseSource,
  dialect: Dialect,
  enumTables: readonly QualifiedName[],
): Promise<Shape> {
  return database.transaction({ readOnly: true }, async (transaction) => {
    const query: Query = (text) => transaction.query({ text }, []);
    return { ...(await introspect(dialect, query, enumTables)), definitions: await dialect.readDefinitions(query) };
  });
}

export function enumTables({ tables }: Source): readonly QualifiedName[] {
  return tables.filter(({ is_enum }) => is_enum === true).map(({ table }) => table);
}
