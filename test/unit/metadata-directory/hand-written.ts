/** Random metadata files as people write them: any layout, with comments, quotes, flow style and empty lines. */
import { stringify } from "yaml";
import type { Json } from "../../../compiler/catalog/model.ts";
import { identityOf, identityText } from "../../../runtime/cli/metadata-directory/identity.ts";
import { sections } from "../../../runtime/cli/metadata-directory/layout.ts";
import { canonicalJson } from "../../../runtime/values/canonical-json.ts";
import { isObject } from "../../../runtime/values/is-object.ts";

/** A line with the path of the value that it belongs to. */
export interface Line {
  readonly text: string;
  readonly owner: readonly string[];
  /** True for the line of a key whose value is below. */
  readonly isKey: boolean;
}

export type Choose = (oneIn: number) => boolean;

/** Returns a source of choices that depends on the seed only. */
export function choices(seed: number): Choose {
  let state = seed >>> 0;
  return (oneIn) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % oneIn === 0;
  };
}

export interface HandWritten {
  /** By path from the directory, or of the only file. */
  readonly files: ReadonlyMap<string, readonly Line[]>;
  readonly lineBreak: string;
}

export class Writer {
  readonly #choose: Choose;
  readonly #files = new Map<string, readonly Line[]>();
  readonly #isNested: boolean;
  #comments = 0;

  constructor(choose: Choose) {
    this.#choose = choose;
    this.#isNested = choose(2);
  }

  directory(metadata: Readonly<Record<string, Json>>): HandWritten {
    this.#files.set("version.yaml", [line("version: 3", ["version"])]);
    const sources = metadata.sources ?? [];
    this.#files.set("databases/databases.yaml", this.#file(sources, ["sources"], this.#choose(2)));
    for (const { key, file } of sections) {
      const value = metadata[key];
      if (value !== undefined) this.#files.set(file, this.#file(value, [key], false));
    }
    return { files: this.#files, lineBreak: this.#choose(4) ? "\r\n" : "\n" };
  }

  oneFile(metadata: Readonly<Record<string, Json>>): HandWritten {
    this.#files.set("metadata.yaml", this.#file(metadata, [], false));
    return { files: this.#files, lineBreak: this.#choose(4) ? "\r\n" : "\n" };
  }

  #file(value: Json, path: readonly string[], hasIncludes: boolean): readonly Line[] {
    const header = this.#choose(2) ? [line(`# file ${this.#comments++}`, path), line("", path)] : [];
    return [...header, ...this.#block(value, path, 0, hasIncludes)];
  }

  #block(value: Json, path: readonly string[], indent: number, hasIncludes: boolean): readonly Line[] {
    const pad = " ".repeat(indent);
    if (Array.isArray(value) && value.length > 0) {
      return value.flatMap((item: Json, index: number) => this.#item(item, path, index, indent, hasIncludes));
    }
    if (isObject<Json>(value) && Object.keys(value).length > 0) {
      const identity = identityOf(value)?.key;
      const keys = Object.keys(value).sort((left, right) => Number(right === identity) - Number(left === identity));
      return keys.flatMap((key, position) => {
        const own = [...path, key];
        const above = position === 0 ? [] : this.#above(own, indent);
        return [...above, ...this.#member(key, value[key] ?? null, own, indent, hasIncludes)];
      });
    }
    return [line(`${pad}${this.#flow(value)}`, path)];
  }

  #above(owner: readonly string[], indent: number): readonly Line[] {
    const blank = this.#choose(8) ? [line("", owner)] : [];
    const comment = this.#choose(4) ? [line(`${" ".repeat(indent)}# c${this.#comments++}`, owner)] : [];
    return [...blank, ...comment];
  }

  #member(key: string, value: Json, path: readonly string[], indent: number, hasIncludes: boolean): readonly Line[] {
    const name = this.#scalar(key);
    const pad = " ".repeat(indent);
    if (hasIncludes && ["tables", "functions"].includes(key) && Array.isArray(value) && path.length === 3) {
      const file = `f${this.#files.size}/${key}.yaml`;
      this.#files.set(`databases/${file}`, []);
      this.#files.set(`databases/${file}`, this.#file(value, path, this.#isNested));
      return [keyLine(`${pad}${name}: "!include ${file}"`, path)];
    }
    const isBlock = isCollection(value) && !this.#choose(4);
    if (!isBlock) return [line(`${pad}${name}: ${this.#flow(value)}${this.#behind()}`, path)];
    const columns = Array.isArray(value) && this.#isNested ? 0 : 2;
    return [
      keyLine(`${pad}${name}:${this.#behind()}`, path),
      ...this.#block(value, path, indent + columns, hasIncludes),
    ];
  }

  #item(value: Json, list: readonly string[], index: number, indent: number, hasIncludes: boolean): readonly Line[] {
    const identity = identityOf(value);
    const path = identity === undefined ? list : [...list, identityText(identity)];
    const pad = " ".repeat(indent);
    const above = index === 0 ? [] : this.#above(path, indent);
    if (hasIncludes && identity !== undefined && list.length === 3 && ["tables", "functions"].includes(list[2] ?? "")) {
      const name = `o${this.#files.size}.yaml`;
      const folder = [...this.#files.keys()].findLast((file) => /f\d+\/(tables|functions)\.yaml$/.test(file));
      this.#files.set(`${folder?.replace(/[^/]+$/, "")}${name}`, this.#file(value, path, false));
      return [...above, line(`${pad}- !include ${name}`, path)];
    }
    if (!isCollection(value) || this.#choose(5)) return [...above, line(`${pad}- ${this.#flow(value)}`, path)];
    const [first, ...others] = this.#block(value, path, indent + 2, hasIncludes);
    const start = { ...(first ?? line("", path)), text: `${pad}- ${first?.text.slice(indent + 2)}` };
    return [...above, start, ...others];
  }

  #behind(): string {
    return this.#choose(6) ? ` # b${this.#comments++}` : "";
  }

  #flow(value: Json): string {
    if (Array.isArray(value)) return `[${value.map((item: Json) => this.#flow(item)).join(", ")}]`;
    if (!isObject<Json>(value)) return this.#scalar(value);
    return `{${Object.entries(value)
      .map(([key, member]) => `${this.#scalar(key)}: ${this.#flow(member)}`)
      .join(", ")}}`;
  }

  #scalar(value: Json): string {
    if (typeof value !== "string") return canonicalJson(value);
    if (/^[a-z]\w*$/i.test(value) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(value) && !this.#choose(4)) {
      return value;
    }
    if (/^[\w -]+$/.test(value) && this.#choose(2)) return `'${value}'`;
    if (value.startsWith("!include")) return `!!str ${JSON.stringify(value)}`;
    return stringify(value, { defaultStringType: "QUOTE_DOUBLE", lineWidth: 0 }).trim();
  }
}

const isCollection = (value: Json): boolean =>
  (Array.isArray(value) || isObject<Json>(value)) && Object.keys(value).length > 0;

const line = (text: string, owner: readonly string[]): Line => ({ text, owner, isKey: false });
const keyLine = (text: string, owner: readonly string[]): Line => ({ text, owner, isKey: true });

/** Returns the value at a path of keys and identities. */
export function valueAt(root: Json, path: readonly string[]): Json | undefined {
  let value: Json | undefined = root;
  for (const key of path) {
    if (Array.isArray(value)) {
      value = value.find((each: Json) => {
        const identity = identityOf(each);
        return identity !== undefined && identityText(identity) === key;
      });
    } else value = isObject<Json>(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}
