/** SQL of migrations with the peer's names → the same with ours, and what was changed in which line. */
import type { Finding } from "./findings.ts";
import { foreignNames, renameInSql } from "./peer-names.ts";

export interface TranslatedSql {
  readonly sql: string;
  readonly findings: readonly Finding[];
}

const ofMetadataDatabase =
  /\bengine_(?:action_log|cron_events|cron_event_invocation_logs|scheduled_events|scheduled_event_invocation_logs)\b/;

/** A database that the other engine served keeps its functions as they are. */
const oldVariables =
  "a database that has this already keeps the old names, and finds no session variables under them: run the new text there, or start the server with --header-alias X-Hasura-=X-Engine-";

/** The set-up of the other engine leaves the extension there. */
const publicUuid =
  "public.gen_random_uuid() comes from an extension that a new database lacks: add `create extension if not exists pgcrypto schema public;` before it, or call gen_random_uuid()";

/** @param place the file, for what is found */
export function translateSql(sql: string, place: string): TranslatedSql {
  const findings: Finding[] = [];
  let readsVariables = false;
  const lines = sql.split("\n").map((line, index) => {
    const { text, names } = renameInSql(line);
    const at = `${place}:${index + 1}`;
    for (const [old, made] of names) findings.push({ kind: "changed", place: at, message: `${old} → ${made}` });
    if (!readsVariables && [...names.keys()].some((name) => /^x-/i.test(name))) {
      readsVariables = true;
      findings.push({ kind: "todo", place: at, message: oldVariables });
    }
    if (/\bpublic\s*\.\s*gen_random_uuid\b/i.test(line)) {
      findings.push({ kind: "todo", place: at, message: publicUuid });
    }
    const left = foreignNames(text);
    if (left.length > 0) {
      findings.push({ kind: "todo", place: at, message: `${left.join(", ")}: no such name here; look what it is for` });
    }
    const [table] = ofMetadataDatabase.exec(text) ?? [];
    if (table !== undefined) {
      const message = `${table} is in the metadata database: that has to be this one, with --database-url and without --metadata-database-url`;
      findings.push({ kind: "todo", place: at, message });
    }
    return text;
  });
  return { sql: lines.join("\n"), findings };
}

/** Rows are the users' own: a name in them is told and stays. */
export function foreignNamesInSeed(sql: string, place: string): readonly Finding[] {
  return sql.split("\n").flatMap((line, index): Finding[] => {
    const found = foreignNames(line);
    if (found.length === 0) return [];
    const message = `${found.join(", ")} in rows, left as it is: look whether it has to change`;
    return [{ kind: "todo", place: `${place}:${index + 1}`, message }];
  });
}
