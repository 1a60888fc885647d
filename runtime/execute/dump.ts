/** Dumps the schema of a source, optionally cleaned. */
import type { DatabaseSource } from "../databases/sources/source.ts";
import type { DumpService } from "../ports/administration.ts";
import { EngineError } from "../values/errors.ts";

export function dumpService(sources: () => ReadonlyMap<string, DatabaseSource>): DumpService {
  return {
    async dump({ source: name, options, clean }) {
      const source = sources().get(name);
      if (!source) throw new EngineError("not-found", "$.source", `source "${name}" not found`);
      if (!source.dump) throw new EngineError("not-supported", "$.source", `source "${name}" cannot be dumped`);
      const text = await source.dump(options);
      return clean ? cleanDump(text) : text;
    },
  };
}

/**
 * Session settings at the start of a dump. `cleanDump` removes them with comments, empty lines and psql commands, so
 * that the result is valid for `run_sql`.
 */
const preamble: ReadonlySet<string> = new Set([
  "SET statement_timeout = 0;",
  "SET lock_timeout = 0;",
  "SET idle_in_transaction_session_timeout = 0;",
  // Newer versions of pg_dump write this setting, which older servers lack.
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

/** Matches the database triggers of event triggers. */
const ownTrigger = /^(?:CREATE TRIGGER|ALTER TABLE .* ENABLE ALWAYS TRIGGER) "?notify_engine_/;

/** Matches the psql commands that pg_dump writes, which are not valid SQL. */
const psqlCommand = /^\\(?:un)?restrict /;

/** Matches tokens that can span lines: strings, quoted names, function bodies, comments, and rows of COPY. */
const multiline =
  /[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|^COPY [^\n]* FROM stdin;$[\s\S]*?^\\\.$/gm;

export function cleanDump(text: string): string {
  let cleaned = "";
  const ends = text.matchAll(multiline);
  let next = ends.next();
  for (let start = 0; start < text.length; ) {
    let end = endOfLine(text, start);
    // A line extends to the end of a multi-line token that starts in it.
    for (; !next.done && next.value.index < end; next = ends.next()) {
      end = Math.max(end, endOfLine(text, next.value.index + next.value[0].length));
    }
    const line = text.slice(start, end);
    if (isIncluded(line)) cleaned += `${line}\n`;
    start = end + 1;
  }
  return cleaned;
}

function endOfLine(text: string, position: number): number {
  const found = text.indexOf("\n", position);
  return found < 0 ? text.length : found;
}

function isIncluded(line: string): boolean {
  if (line === "" || line.startsWith("--")) return false;
  return !preamble.has(line) && !ownTrigger.test(line) && !psqlCommand.test(line);
}
