/** Finds the environment variables that metadata uses: by name, and as `{{NAME}}` in URLs and headers. */
import { missingVariables } from "../../runtime/values/environment-template.ts";
import type { Json, JsonObject } from "./model.ts";

/** Members with templates of environment variables. Templates of transforms and SQL have other variables. */
const templateMembers: ReadonlySet<string> = new Set([
  "handler",
  "webhook",
  "url",
  "database_url",
  "connection_string",
]);
const skippedMembers: ReadonlySet<string> = new Set([
  "request_transform",
  "response_transform",
  "native_queries",
  "query_collections",
]);

/**
 * Returns the paths where each variable is used, by name, in the order of the metadata.
 * @param metadata metadata in the form of `export_metadata`
 */
export function environmentVariablesOf(metadata: JsonObject): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  collect(metadata, "$", { key: "", isHeader: false }, found);
  return found;
}

interface Position {
  /** Name of the member. */
  readonly key: string;
  readonly isHeader: boolean;
}

function collect(value: Json, path: string, { key, isHeader }: Position, found: Map<string, string[]>): void {
  if (typeof value === "string") {
    for (const name of namesIn(value, key, isHeader)) {
      const paths = found.get(name) ?? [];
      if (!paths.includes(path)) paths.push(path);
      found.set(name, paths);
    }
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) collect(item, `${path}[${i}]`, { key, isHeader }, found);
    return;
  }
  for (const [name, member] of Object.entries(value as JsonObject)) {
    if (skippedMembers.has(name) || member === undefined) continue;
    collect(member, `${path}.${name}`, { key: name, isHeader: key === "headers" }, found);
  }
}

function namesIn(text: string, key: string, isHeader: boolean): readonly string[] {
  if (key === "from_env" || key.endsWith("_from_env")) return [text];
  const isTemplate = templateMembers.has(key) || key === "status" || (isHeader && key === "value");
  return isTemplate ? missingVariables(text, {}) : [];
}
