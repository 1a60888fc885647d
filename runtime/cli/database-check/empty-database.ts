/** Empties a database, and fills it with the tables of a suite, on servers that may lack features of PostgreSQL. */

import { splitStatements } from "../../databases/sources/postgres/split-statements.ts";
import { messageOf } from "../../values/message-of.ts";

type Run = (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/**
 * Replaces the contents of the schema `public`.
 * @param run runs SQL on a connection of its own
 * @returns the refused statements with the errors of the server, if it does not run the whole text
 */
export async function refill(run: Run, schema: string): Promise<readonly string[]> {
  try {
    await run(`drop schema if exists public cascade; create schema public; ${schema}`);
    return [];
  } catch {
    await empty(run);
  }
  const refused: string[] = [];
  for (const statement of splitStatements(schema)) {
    await run(statement).catch((error: unknown) => void refused.push(`${headOf(statement)}: ${messageOf(error)}`));
  }
  return refused;
}

/** Drops everything in the schema `public`, one object after another if the server refuses to drop the schema. */
export async function empty(run: Run): Promise<void> {
  try {
    await run("drop schema if exists public cascade; create schema public");
  } catch {
    for (const list of lists) {
      const found = await run(list).catch(() => []);
      // Leftovers make the statements fail that create them again.
      for (const { drop } of found) await run(String(drop)).catch(() => undefined);
    }
  }
}

const lists = [
  `select 'drop view if exists public.' || quote_ident(table_name) || ' cascade' as drop from information_schema.views
where table_schema = 'public'`,
  `select 'drop table if exists public.' || quote_ident(table_name) || ' cascade' as drop from information_schema.tables
where table_schema = 'public' and table_type = 'BASE TABLE'`,
  `select 'drop function if exists ' || p.oid::regprocedure::text || ' cascade' as drop from pg_proc p
join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'public'`,
  `select 'drop type if exists public.' || quote_ident(typname) || ' cascade' as drop from pg_type t
join pg_namespace n on n.oid = t.typnamespace where n.nspname = 'public' and t.typtype in ('e', 'd')`,
  `select 'drop sequence if exists public.' || quote_ident(sequence_name) || ' cascade' as drop
from information_schema.sequences where sequence_schema = 'public'`,
];

/** Returns the beginning of a statement, which names its object. */
function headOf(statement: string): string {
  const line = statement.replace(/\s+/g, " ");
  return line.length <= 60 ? line : `${line.slice(0, 60)}…`;
}
