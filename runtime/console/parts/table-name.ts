/** Names of tables: display names without the default schema of the database kind, and keys. */
import type { QualifiedName } from "../http/metadata-types.ts";

const defaultSchemas: Readonly<Record<string, string>> = { mssql: "dbo", postgres: "public" };

/** @param kind kind of the source, such as `postgres` */
export const defaultSchemaOf = (kind: string): string => defaultSchemas[kind] ?? "";

export const shownName = (kind: string, { schema, name }: QualifiedName): string =>
  schema === defaultSchemaOf(kind) ? name : `${schema}.${name}`;

/** Returns a text that identifies the table in its database. */
export const keyOf = ({ schema, name }: QualifiedName): string => JSON.stringify([schema, name]);
