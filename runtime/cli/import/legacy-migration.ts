/**
 * Converts `up.yaml` and `down.yaml` of early projects, which are lists of operations, to SQL. Omits and reports
 * operations other than `run_sql`.
 */
import { dirname } from "node:path";
import type { Json } from "../../../compiler/catalog/model.ts";
import { isObject } from "../../values/is-object.ts";
import { FileLoader } from "../metadata-directory/load-files.ts";
import { Locations } from "../metadata-directory/locations.ts";
import type { Finding } from "./findings.ts";

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
