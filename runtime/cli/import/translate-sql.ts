/** Translates the names of the original engine in SQL of migrations, and reports each change with its line. */
import type { Finding } from "./findings.ts";
import { foreignNames, renameInSql } from "./peer-names.ts";

export interface TranslatedSql {
  readonly sql: string;
  readonly findings: readonly Finding[];
}

const metadataTables =
  /\bengine_(?:action_log|cron_events|cron_event_invocation_logs|scheduled_events|scheduled_event_invocation_logs)\b/;

/** Existing databases contain functions with the original names. */
const oldVariables =
  "existing databases keep the old names, under which session variables are missing: run the new text there, or start the server with --header-alias X-Hasura-=X-Engine-";

/** The original engine installs the extension in `public`. */
const publicUuid =
  "public.gen_random_uuid() comes from an extension that a new database lacks: add `create extension if not exists pgcrypto schema public;` before it, or call gen_random_uuid()";

/** @param place path of the file in findings */
export function translateSql(sql: string, place: string): TranslatedSql {
  const findings: Finding[] = [];
  let readsVariables = false;
  const lines = sql.split("\n").map((line, index) => {
    const { text, names } = renameInSql(line);
    const at = `${place}:${index + 1}`;
    for (const [old, renamed] of names) findings.push({ kind: "changed", place: at, message: `${old} → ${renamed}` });
    if (!readsVariables && [...names.keys()].some((name) => /^x-/i.test(name))) {
      readsVariables = true;
      findings.push({ kind: "todo", place: at, message: oldVariables });
    }
    if (/\bpublic\s*\.\s*gen_random_uuid\b/i.test(line)) {
      findings.push({ kind: "todo", place: at, message: publicUuid });
    }
    const left = foreignNames(text);
    if (left.length > 0) {
      findings.push({ kind: "todo", place: at, message: `${left.join(", ")}: no equivalent; check its purpose` });
    }
    const [table] = metadataTables.exec(text) ?? [];
    if (table !== undefined) {
      const message = `${table} is in the metadata database, which must be this database: start with --database-url and without --metadata-database-url`;
      findings.push({ kind: "todo", place: at, message });
    }
    return text;
  });
  return { sql: lines.join("\n"), findings };
}

/** Reports names in rows without translating them, because rows belong to the user. */
export function foreignNamesInSeed(sql: string, place: string): readonly Finding[] {
  return sql.split("\n").flatMap((line, index): Finding[] => {
    const found = foreignNames(line);
    if (found.length === 0) return [];
    const message = `${found.join(", ")} in rows is kept: check whether to rename`;
    return [{ kind: "todo", place: `${place}:${index + 1}`, message }];
  });
}
