/**
 * Handles databases of unsupported kinds: they become PostgreSQL if they are compatible, and are otherwise left out
 * together with the relationships to them.
 */
import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { sourceKindNamed, sourceKinds } from "../../../compiler/catalog/schema/names.ts";
import { pathTo } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import type { MetadataChange, TranslatedMetadata } from "./translate-metadata.ts";

/** Kinds compatible with PostgreSQL. */
const postgresKinds = ["citus", "alloy"];
const asPostgres = new Set<Json | undefined>(postgresKinds);

/** Also returns true for a kind that is not a string, which is reported as a metadata error with file and line. */
const isServed = (kind: Json | undefined): boolean => typeof kind !== "string" || sourceKindNamed(kind) !== undefined;

export interface ServedMetadata extends TranslatedMetadata {
  /** Maps a JSONPath of the result to the corresponding path in the original document. */
  original(path: string): string;
}

export function withoutUnsupportedDatabases(document: Json): ServedMetadata {
  const list = isObject<Json>(document) ? document.sources : undefined;
  if (!isObject<Json>(document) || !Array.isArray(list)) {
    return { metadata: document, changes: [], original: (path) => path };
  }
  const omission = new Omission(leftOutSources(list));
  const metadata = omission.value(document, "$", "$");
  return { metadata, changes: omission.changes, original: (path) => omission.original(path) };
}

/** Returns names and kinds of unsupported sources. */
function leftOutSources(sources: readonly Json[]): ReadonlyMap<Json, string> {
  const found = new Map<Json, string>();
  for (const source of sources) {
    if (!isObject<Json>(source) || isServed(source.kind) || asPostgres.has(source.kind)) continue;
    found.set(source.name ?? null, String(source.kind));
  }
  return found;
}

class Omission {
  readonly changes: MetadataChange[] = [];
  readonly #leftOut: ReadonlyMap<Json, string>;
  /** Original indexes of the remaining items of shortened lists, by the list's path in the result. */
  readonly #kept = new Map<string, readonly number[]>();

  constructor(leftOut: ReadonlyMap<Json, string>) {
    this.#leftOut = leftOut;
  }

  /**
   * @param path path of the value in the original
   * @param newPath path of the value in the result
   */
  value(value: Json, path: string, newPath: string): Json {
    if (Array.isArray(value)) return this.#list(value, path, newPath);
    if (!isObject<Json>(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, this.value(member, pathTo(path, key), pathTo(newPath, key))]),
    );
  }

  #list(items: readonly Json[], path: string, newPath: string): readonly Json[] {
    const isSources = path === "$.sources";
    const isRelationships = /[._]relationships$/.test(path);
    const kept: number[] = [];
    const result: Json[] = [];
    for (const [index, item] of items.entries()) {
      const place = pathTo(path, index);
      const reason = isObject<Json>(item)
        ? (isSources && this.#sourceReason(item)) || (isRelationships && this.#linkReason(item))
        : false;
      if (reason) {
        this.changes.push({ kind: "todo", path: place, message: reason });
        continue;
      }
      const served = isSources && isObject<Json>(item) ? this.#asServedKind(item, place) : item;
      result.push(this.value(served, place, pathTo(newPath, result.length)));
      kept.push(index);
    }
    if (kept.length < items.length) this.#kept.set(newPath, kept);
    return result;
  }

  #sourceReason({ name, kind }: JsonObject): string | undefined {
    if (isServed(kind) || asPostgres.has(kind)) return undefined;
    const hint = didYouMean(String(kind), [...Object.keys(sourceKinds), ...postgresKinds]);
    const reason = `databases of kind ${String(kind)} are not supported`;
    return `${String(name)} is left out: ${reason}${hint === undefined ? "" : `: ${hint}`}`;
  }

  #asServedKind(source: JsonObject, path: string): JsonObject {
    if (!asPostgres.has(source.kind)) return source;
    this.changes.push({ kind: "changed", path, message: `kind ${String(source.kind)} → postgres` });
    return { ...source, kind: "postgres" };
  }

  /** Returns the message for an omitted relationship if the item is a relationship to a source that is left out. */
  #linkReason(item: JsonObject): string | undefined {
    const definition = isObject<Json>(item.definition) ? item.definition : item;
    const link = isObject<Json>(definition.to_source) ? definition.to_source : item;
    const source = link.source ?? null;
    const kind = this.#leftOut.get(source);
    if (kind === undefined || item.name === undefined) return undefined;
    return `relationship ${String(item.name)} is left out: it refers to ${String(source)}, a database of kind ${kind}`;
  }

  original(path: string): string {
    let result = "";
    for (let end = 0; end < path.length; ) {
      const rest = path.slice(end);
      const [step = rest, index] = /^\[(\d+)\]|^(?:\.?[^.[]+|\["(?:[^"\\]|\\.)*"\])/.exec(rest) ?? [];
      const kept = index === undefined ? undefined : this.#kept.get(path.slice(0, end))?.[Number(index)];
      result += kept === undefined ? step : `[${kept}]`;
      end += step.length;
    }
    return result;
  }
}
