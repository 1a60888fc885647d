/** Names of tables as people write them: without the schema that is usual for a kind of database. */
import type { QualifiedName } from "../http/metadata-types.ts";

const usualSchemas: Readonly<Record<string, string>> = { mssql: "dbo", postgres: "public" };

/** @param kind of the source */
export const usualSchemaOf = (kind: string): string => usualSchemas[kind] ?? "";

export const shownName = (kind: string, { schema, name }: QualifiedName): string =>
  schema === usualSchemaOf(kind) ? name : `${schema}.${name}`;
