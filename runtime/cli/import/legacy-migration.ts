/**
 * Converts `up.yaml` and `down.yaml` of early projects, which are lists of operations, to SQL. Omits and reports
 * operations other than `run_sql`.
 */
import { dirname } from "node:path";
import type { Json } from "../../../compiler/catalog/model.ts";
import { Locations } from "../../metadata-text/locations.ts";
import { isObject } from "../../values/is-object.ts";
import { FileLoader } from "../metadata-directory/load-files.ts";
import type { Finding } from "./findings.ts";
import { foreignNames, renameInSql } from "./peer-names.ts";

export interface LegacyMigration {
  readonly sql: string;
  readonly findings: readonly Finding[];
}

/**
 * @param place path of the file in findings
 * @throws EngineError with file and line for invalid syntax
 */
export async function readLegacyMigration(path: string, place: string): Promise<LegacyMigration> {
  const locations = new Locations();
  const read = await new FileLoader(dirname(path), locations).read(path);
  const root = read?.value ?? null;
  const texts: string[] = [];
  const findings: Finding[] = [];
  for (const { step, at } of stepsIn(root, "$")) {
    const { type, args } = isObject<Json>(step) ? step : {};
    if (type === "run_sql" && isObject<Json>(args) && typeof args.sql === "string") {
      texts.push(/;\s*$/.test(args.sql) ? args.sql.trimEnd() : `${args.sql.trimEnd()};`);
      continue;
    }
    const line = locations.find(root, at)?.line;
    findings.push({
      kind: "changed",
      place: line === undefined ? place : `${place}:${line}`,
      message: `${typeof type === "string" ? type : "a step"} is left out: metadata/ contains the current metadata`,
    });
  }
  return { sql: texts.length === 0 ? onlyMetadata : `${texts.join("\n")}\n`, findings };
}

/** SQL of migrations that changed only metadata. Such migrations are kept, so that the versions applied on servers still match. */
const onlyMetadata = "-- Changed only metadata, which is in metadata/.\n";

/** Yields steps; a `bulk` is replaced with its operations. */
function* stepsIn(value: Json, path: string): Iterable<{ readonly step: Json; readonly at: string }> {
  const list: readonly Json[] = Array.isArray(value) ? value : value === null ? [] : [value];
  for (const [index, step] of list.entries()) {
    const at = Array.isArray(value) ? `${path}[${index}]` : path;
    if (isObject<Json>(step) && step.type === "bulk") yield* stepsIn(step.args ?? null, `${at}.args`);
    else yield { step, at };
  }
}

/** SQL with the engine's names, and each change with its line. */
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
