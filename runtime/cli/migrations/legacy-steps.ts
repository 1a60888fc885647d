/** `up.yaml` and `down.yaml` of older projects: a list of operations, of which those of SQL are understood. */
import { dirname } from "node:path";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { FileLoader } from "../metadata-directory/load-files.ts";
import { Locations } from "../metadata-directory/locations.ts";
import type { SqlFile } from "./sql-file.ts";

/** @throws EngineError for steps that change metadata: those are in the metadata directory today */
export async function legacySql(path: string): Promise<SqlFile | undefined> {
  const read = await new FileLoader(dirname(path), new Locations()).read(path);
  if (read === undefined) return undefined;
  const steps: readonly unknown[] = Array.isArray(read.value) ? read.value : [read.value];
  const texts = steps.map((step) => {
    const { type, args } = isObject(step) ? step : {};
    if (type === "run_sql" && isObject(args) && typeof args.sql === "string") return args.sql;
    const what = typeof type === "string" ? `the operation ${type}` : "something that is no operation";
    throw new EngineError(
      "not-supported",
      "$",
      `${path} has ${what}: only run_sql is migrated, metadata comes from the metadata directory; write ${path.replace(/\.yaml$/, ".sql")} instead`,
    );
  });
  return { path, sql: texts.map((text) => (text.trimEnd().endsWith(";") ? text : `${text};`)).join("\n") };
}
