/** Databases of kinds that are not served here: taken for another kind where that is the same, or left out and told. */
import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { sourceKindNamed } from "../../../compiler/catalog/schema/names.ts";
import { isObject } from "../../values/is-object.ts";
import type { MetadataChange, TranslatedMetadata } from "./translate-metadata.ts";

/** PostgreSQL with something more. */
const asPostgres: ReadonlySet<unknown> = new Set(["citus", "alloy"]);

/** What is no name at all is an error, which names file and line. */
const isServed = (kind: Json | undefined): boolean => typeof kind !== "string" || sourceKindNamed(kind) !== undefined;

export interface ServedMetadata extends TranslatedMetadata {
  /** A JSONPath in what is left → the same in the original. */
  original(path: string): string;
}

export function withoutOtherDatabases(document: Json): ServedMetadata {
  const same = (path: string): string => path;
  if (!isObject<Json>(document) || !Array.isArray(document.sources)) {
    return { metadata: document, changes: [], original: same };
  }
  const kept: number[] = [];
  const changes: MetadataChange[] = [];
  const sources = document.sources.flatMap((source, index): readonly Json[] => {
    const isLeftOut = isObject<Json>(source) && !isServed(source.kind) && !asPostgres.has(source.kind);
    if (!isLeftOut) kept.push(index);
    if (!isObject<Json>(source) || isServed(source.kind)) return [source];
    const path = `$.sources[${index}]`;
    if (asPostgres.has(source.kind)) {
      changes.push({ kind: "changed", path, message: `kind ${String(source.kind)} → postgres` });
      return [{ ...source, kind: "postgres" } satisfies JsonObject];
    }
    const message = `databases of kind ${String(source.kind)} are not served here: ${String(source.name)} is left out, and what other objects refer to in it will be inconsistent`;
    changes.push({ kind: "todo", path, message });
    return [];
  });
  const original = (path: string): string =>
    path.replace(/^\$\.sources\[(\d+)\]/, (_, index: string) => `$.sources[${kept[Number(index)]}]`);
  return { metadata: { ...document, sources }, changes, original };
}
