/** SQL by the kind of the database. */
import { mssqlText } from "./mssql-text.ts";
import { postgresText } from "./postgres-text.ts";
import type { SqlText } from "./sql-text.ts";

const texts: Readonly<Record<string, SqlText>> = { mssql: mssqlText };

/** @param kind kind of the source, such as `postgres` */
export const sqlTextOf = (kind: string): SqlText => texts[kind] ?? postgresText;
