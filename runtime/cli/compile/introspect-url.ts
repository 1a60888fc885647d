import { introspect } from "../../../compiler/1-introspect/introspect.ts";
import type { QualifiedName, Source, SourceKind } from "../../../compiler/catalog/model.ts";
import type { Dialect, Query } from "../../../compiler/dialects/dialect.ts";
import { dialectOf } from "../../../compiler/dialects/index.ts";
import type { Shape } from "../../../compiler/shape/shape.ts";
import { openSource } from "../../databases/sources/open-source.ts";
import type { DatabaseSource } from "../../databases/sources/source.ts";

/**
 * Reads the Shape of a database, with hashes of its SQL definitions and the facts that `advise` needs.
 * @param enumTables tables whose rows are included
 * @throws EngineError if the database is unreachable or cannot be read
 */
export async function introspectUrl(
  url: string,
  kind: SourceKind,
  enumTables: readonly QualifiedName[] = [],
): Promise<Shape> {
  return withDatabase(url, kind, (database) => readShape(database, dialectOf(kind), enumTables));
}

/** Opens a database with one connection for the time of `work`. */
export async function withDatabase<T>(
  url: string,
  kind: SourceKind,
  work: (database: DatabaseSource) => Promise<T>,
): Promise<T> {
  const connectionInfo = { database_url: url, pool_settings: { max_connections: 1 } };
  const database = openSource({ name: "default", kind, connectionInfo }, { variables: process.env });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Reads the Shape of an open source, with hashes of its SQL definitions and the facts that `advise` needs. */
export function readShape(
  database: DatabaseSource,
  dialect: Dialect,
  enumTables: readonly QualifiedName[],
): Promise<Shape> {
  return database.transaction({ readOnly: true }, async (transaction) => {
    const query: Query = (text) => transaction.query({ text }, []);
    return {
      ...(await introspect(dialect, query, enumTables)),
      definitions: await dialect.readDefinitions(query),
      review: await dialect.readReviewFacts(query),
    };
  });
}

export function enumTables({ tables }: Source): readonly QualifiedName[] {
  return tables.filter(({ is_enum }) => is_enum === true).map(({ table }) => table);
}
