/** Translates the names of the original engine in a metadata document, and reports each change. */
import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { pathTo } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { foreignNames, type Renamed, renameInSql, renameInText, renameObject } from "./peer-names.ts";

export interface MetadataChange {
  readonly kind: "todo" | "changed";
  /** JSONPath in the original. */
  readonly path: string;
  readonly message: string;
}

export interface TranslatedMetadata {
  readonly metadata: Json;
  readonly changes: readonly MetadataChange[];
}

const keys: ReadonlyMap<string, string> = new Map([["hasura_fields", "engine_fields"]]);

/** Descriptions, and addresses of other servers, whose names are not translated. */
const untouched: ReadonlySet<string> = new Set(["comment", "description", "url", "handler", "webhook"]);

/** Members whose text is SQL. */
const sqlMembers: ReadonlySet<string> = new Set(["code", "sql"]);

/** Members that contain names of tables and functions. */
const objectMembers: ReadonlySet<string> = new Set(["table", "function", "remote_table"]);

export function translateMetadata(document: Json): TranslatedMetadata {
  const changes: MetadataChange[] = [];
  return { metadata: new Translation(changes).value(document, "$", []), changes };
}

class Translation {
  readonly #changes: MetadataChange[];

  constructor(changes: MetadataChange[]) {
    this.#changes = changes;
  }

  value(value: Json, path: string, above: readonly string[]): Json {
    if (typeof value === "string") return this.#text(value, path, above);
    if (Array.isArray(value)) return value.map((item, index) => this.value(item, `${path}[${index}]`, above));
    if (!isObject<Json>(value)) return value;
    return this.#object(value, path, above);
  }

  #object(value: JsonObject, path: string, above: readonly string[]): JsonObject {
    const members = Object.entries(value).map(([key, member]): [string, Json] => {
      const place = pathTo(path, key);
      const name = this.#key(key, place, above);
      return [name, this.value(member, place, [...above, key])];
    });
    return Object.fromEntries(members);
  }

  /** Translates members of `session_variables` only: in permissions, keys are columns; headers belong to other servers. */
  #key(key: string, path: string, above: readonly string[]): string {
    const known = keys.get(key);
    if (known !== undefined) {
      this.#report(path, new Map([[key, known]]));
      return known;
    }
    const parent = above.at(-1);
    if (parent !== "session_variables") {
      this.#reportForeign(key, path);
      return key;
    }
    const renamed = renameInText(key);
    this.#report(path, renamed.names);
    return renamed.text;
  }

  #text(text: string, path: string, above: readonly string[]): string {
    const member = above.at(-1) ?? "";
    const renamed = this.#renamed(text, member, above);
    this.#report(path, renamed.names);
    this.#reportForeign(renamed.text, path);
    return renamed.text;
  }

  #reportForeign(text: string, path: string): void {
    const left = foreignNames(text);
    if (left.length === 0) return;
    const message = `${left.join(", ")} ${left.length === 1 ? "is a name" : "are names"} of the original engine and kept: check whether to rename`;
    this.#changes.push({ kind: "todo", path, message });
  }

  #renamed(text: string, member: string, above: readonly string[]): Renamed {
    if (member === "naming_convention" && text === "hasura-default") {
      return { text: "engine-default", names: new Map([[text, "engine-default"]]) };
    }
    if (member === "url" || member === "handler" || member === "webhook") return renameTemplates(text);
    // The called server expects the original name of the header.
    if (untouched.has(member) || (member === "name" && above.includes("headers"))) return { text, names: new Map() };
    if (sqlMembers.has(member)) return renameInSql(text);
    if (above.some((each) => objectMembers.has(each))) return renameObject(text);
    return renameInText(text);
  }

  #report(path: string, names: ReadonlyMap<string, string>): void {
    for (const [old, renamed] of names) this.#changes.push({ kind: "changed", path, message: `${old} → ${renamed}` });
  }
}

/** Translates only variables between double braces, because other parts of an address belong to another server. */
function renameTemplates(text: string): Renamed {
  const names = new Map<string, string>();
  const changed = text.replace(/\{\{[^}]*\}\}/g, (template) => {
    const renamed = renameInText(template);
    for (const [old, translated] of renamed.names) names.set(old, translated);
    return renamed.text;
  });
  return { text: changed, names };
}
