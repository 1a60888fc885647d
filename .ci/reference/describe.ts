/** Tables of the keys of schemas, with short names of their types. */
import { code, table } from "./markdown.ts";
import type { Key, Value } from "./schema.ts";

type ObjectValue = Extract<Value, { kind: "object" }>;

/** Objects that pages describe once, by their key names. */
export interface SharedObject {
  readonly name: string;
  readonly link: string;
  readonly value: Value;
}

/** Describes keys. Objects described elsewhere are links. */
export class KeyTables {
  readonly #shared: readonly SharedObject[];

  constructor(shared: readonly SharedObject[] = []) {
    this.#shared = shared;
  }

  /** Returns the table of an object or of each form of a choice, nested keys with a path such as `a.b` or `a[].b`. */
  of(value: Value): string {
    return objectsIn(value)
      .map((object) => this.#table(object))
      .filter((text) => text !== "")
      .join("\n\nOr:\n\n");
  }

  #table(object: ObjectValue): string {
    const rows = [...this.#rows(object, "", [])];
    const withDefault = rows.some((row) => row[2] !== "");
    return table(
      withDefault ? ["key", "type", "default", "meaning"] : ["key", "type", "meaning"],
      rows.map(([key = "", type = "", fallback = "", about = ""]) =>
        withDefault ? [key, type, fallback, about] : [key, type, about],
      ),
    );
  }

  *#rows(object: ObjectValue, prefix: string, open: readonly Value[]): Iterable<readonly string[]> {
    for (const key of object.keys) {
      const path = `${prefix}${key.name}`;
      const shared = this.#sharedOf(key.value);
      const type = shared === undefined ? typeOf(key.value) : `[${shared.name}](${shared.link})`;
      const required = key.required ? " **Required.**" : "";
      yield [
        code(path),
        shared === undefined ? type : listed(key.value, type),
        key.fallback ?? "",
        `${key.about}${required}`,
      ];
      if (shared === undefined) yield* this.#nested(key, path, [...open, object]);
    }
  }

  *#nested({ value }: Key, path: string, open: readonly Value[]): Iterable<readonly string[]> {
    const { element, suffix } = elementOf(value);
    const objects = objectsIn(element).filter((each) => !open.includes(each) && !isName(each));
    const seen = new Set<string>();
    for (const each of objects) {
      for (const row of this.#rows(each, `${path}${suffix}.`, open)) {
        const id = `${row[0]} ${row[1]}`;
        if (seen.has(id)) continue;
        seen.add(id);
        yield row;
      }
    }
  }

  #sharedOf(value: Value): SharedObject | undefined {
    const { element } = elementOf(value);
    return this.#shared.find((shared) => shared.value === element || sameKeys(shared.value, element));
  }
}

/** Objects of equal structure may be separate values, one for each kind of database. */
function sameKeys(left: Value, right: Value): boolean {
  const [a, b] = [left, right].map((value) => JSON.stringify(objectsIn(value).map(namesOf)));
  return a === b && a !== "[]";
}

const namesOf = ({ keys }: ObjectValue): unknown => keys.map(({ name, about }) => [name, about]);

/** Returns true for the name of a table or function, whose two keys need no rows. */
function isName({ keys }: ObjectValue): boolean {
  return keys.length === 2 && keys[0]?.name === "name" && keys[1]?.name === "schema";
}

const isNameChoice = (value: Value): boolean =>
  value.kind === "choice" && objectsIn(value).some(isName) && value.choices.some(({ kind }) => kind === "string");

function objectsIn(value: Value): readonly ObjectValue[] {
  if (value.kind === "object") return [value];
  return value.kind === "choice" ? value.choices.flatMap(objectsIn) : [];
}

/** Returns the element of nested lists and maps, with the suffix of its path. */
function elementOf(value: Value): { readonly element: Value; readonly suffix: string } {
  if (value.kind === "list" || value.kind === "map") {
    const inner = elementOf(value.element);
    return { element: inner.element, suffix: `${value.kind === "list" ? "[]" : ".*"}${inner.suffix}` };
  }
  if (value.kind === "choice") {
    const lists = value.choices.filter((each) => each.kind === "list" || each.kind === "map");
    const [only] = lists;
    if (objectsIn(value).length === 0 && lists.length === 1 && only !== undefined) return elementOf(only);
  }
  return { element: value, suffix: "" };
}

function listed(value: Value, type: string): string {
  if (value.kind === "list") return `list of ${type}`;
  return value.kind === "map" ? `map of ${type}` : type;
}

/** Returns a short name of the type, in Markdown. */
export function typeOf(value: Value): string {
  switch (value.kind) {
    case "string":
      return value.values === undefined ? "string" : value.values.map(code).join(", ");
    case "constant":
      return code(JSON.stringify(value.value));
    case "any":
      return "any JSON";
    case "list":
      return `list of ${plural(value.element)}`;
    case "map":
      return `map of ${plural(value.element)}`;
    case "choice":
      if (isNameChoice(value)) return "name";
      return [...new Set(value.choices.map(typeOf))].join(" or ");
    default:
      return value.kind;
  }
}

function plural(value: Value): string {
  const type = typeOf(value);
  if (value.kind === "choice" && !isNameChoice(value)) return `(${type})`;
  return /^[a-z ]+$/.test(type) && !type.startsWith("list") && !type.startsWith("map")
    ? `${type}s`.replace("any JSONs", "any JSON")
    : type;
}
