/** Display names of tables, without the default schema of the database kind. */
import type { QualifiedName } from "../http/metadata-types.ts";

const defaultSchemas: Readonly<Record<string, string>> = { mssql: "dbo", postgres: "public" };

/** @param kind kind of the source, such as `postgres` */
export const defaultSchemaOf = (kind: string): string => defaultSchemas[kind] ?? "";

export const shownName = (kind: string, { schema, name }: QualifiedName): string =>
  schema === defaultSchemaOf(kind) ? name : `${schema}.${name}`;
