/**
 * Takes out of a dump what says nothing about the schema: comments, empty lines, the settings of the session that reads
 * it, commands to psql. What is left is valid for `run_sql`.
 */

/** Lines of the preamble, which set up the session that reads the dump. */
const preamble: ReadonlySet<string> = new Set([
  "SET statement_timeout = 0;",
  "SET lock_timeout = 0;",
  "SET idle_in_transaction_session_timeout = 0;",
  // Of newer programs, which older servers do not know.
  "SET transaction_timeout = 0;",
  "SET client_encoding = 'UTF8';",
  "SET standard_conforming_strings = on;",
  "SELECT pg_catalog.set_config('search_path', '', false);",
  "SET xmloption = content;",
  "SET client_min_messages = warning;",
  "SET row_security = off;",
  "SET default_tablespace = '';",
  "SET default_with_oids = false;",
  "SET default_table_access_method = heap;",
  "CREATE SCHEMA public;",
  "COMMENT ON SCHEMA public IS 'standard public schema';",
]);

/** What records the events of event triggers. */
const ownTrigger = /^(?:CREATE TRIGGER|ALTER TABLE .* ENABLE ALWAYS TRIGGER) "?notify_engine_/;

/** Commands to the program psql; a server takes them for faulty SQL. */
const psqlCommand = /^\\(?:un)?restrict /;

/** What may hold the beginning of a line that is no line of the dump: texts, names, bodies of functions, rows of COPY. */
const multiline =
  /[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|^COPY [^\n]* FROM stdin;$[\s\S]*?^\\\.$/gm;

export function cleanDump(text: string): string {
  let cleaned = "";
  const ends = text.matchAll(multiline);
  let next = ends.next();
  for (let start = 0; start < text.length; ) {
    let end = endOfLine(text, start);
    // A line goes on to the end of what begins in it.
    for (; !next.done && next.value.index < end; next = ends.next()) {
      end = Math.max(end, endOfLine(text, next.value.index + next.value[0].length));
    }
    const line = text.slice(start, end);
    if (isKept(line)) cleaned += `${line}\n`;
    start = end + 1;
  }
  return cleaned;
}

function endOfLine(text: string, position: number): number {
  const found = text.indexOf("\n", position);
  return found < 0 ? text.length : found;
}

function isKept(line: string): boolean {
  if (line === "" || line.startsWith("--")) return false;
  return !preamble.has(line) && !ownTrigger.test(line) && !psqlCommand.test(line);
}
