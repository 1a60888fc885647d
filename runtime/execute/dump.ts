/** Dumps a source, and takes out of the dump what says nothing about the schema (`operations.md` 5.2). */
import type { DumpService } from "../ports/administration.ts";
import type { DatabaseSource } from "../sources/source.ts";
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

/** Lines of the preamble, which set up the session that reads the dump. */
const preamble: ReadonlySet<string> = new Set([
  "SET statement_timeout = 0;",
  "SET lock_timeout = 0;",
  "SET idle_in_transaction_session_timeout = 0;",
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

function cleanDump(text: string): string {
  const isKept = (line: string): boolean =>
    line !== "" && !line.startsWith("--") && !preamble.has(line) && !ownTrigger.test(line);
  return text
    .split("\n")
    .filter(isKept)
    .map((line) => `${line}\n`)
    .join("");
}
