/** Tables of the keys of schemas, with short names of their types. */
import { code, table } from "./markdown.ts";
import type { Key, Value } from "./schema.ts";

interface Row {
  readonly key: string;
  readonly type: string;
  readonly fallback: string;
  readonly about: string;
  readonly required: "yes" | "no" | "in one form";
}

const requirements = { yes: " **Required.**", no: "", "in one form": " **Required in one form.**" } as const;

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

  /**
   * Returns the table of an object, nested keys with a path such as `a.b` or `a[].b`. Forms of a choice with mostly
   * the same keys have one table, others a table each.
   */
  of(value: Value): string {
    return similar(objectsIn(value))
      .map((objects) => this.#table(objects))
      .filter((text) => text !== "")
      .join("\n\nOr:\n\n");
  }

  #table(objects: readonly ObjectValue[]): string {
    const rows = new Map<string, Row>();
    for (const object of objects) {
      for (const row of this.#rows(object, "", [], partly(objects))) {
        const known = rows.get(row.key);
        rows.set(row.key, known === undefined ? row : joined(known, row));
      }
    }
    const all = [...rows.values()];
    const hasDefault = all.some(({ fallback }) => fallback !== "");
    return table(
      hasDefault ? ["key", "type", "default", "meaning"] : ["key", "type", "meaning"],
      all.map(({ key, type, fallback, about, required }) => {
        const meaning = `${about}${requirements[required]}`;
        return hasDefault ? [code(key), type, fallback, meaning] : [code(key), type, meaning];
      }),
    );
  }

  *#rows(object: ObjectValue, prefix: string, open: readonly Value[], optional: ReadonlySet<string>): Iterable<Row> {
    for (const key of object.keys) {
      const path = `${prefix}${key.name}`;
      const shared = this.#sharedOf(key.value);
      const type = shared === undefined ? typeOf(key.value) : `[${shared.name}](${shared.link})`;
      yield {
        key: path,
        type: shared === undefined ? type : listed(key.value, type),
        fallback: key.fallback ?? "",
        about: key.about,
        required: !key.required ? "no" : optional.has(key.name) ? "in one form" : "yes",
      };
      if (shared === undefined) yield* this.#nested(key, path, [...open, object]);
    }
  }

  *#nested({ value }: Key, path: string, open: readonly Value[]): Iterable<Row> {
    const { element, suffix } = elementOf(value);
    const objects = objectsIn(element).filter((each) => !open.includes(each) && !isName(each));
    const seen = new Set<string>();
    for (const each of objects) {
      for (const row of this.#rows(each, `${path}${suffix}.`, open, partly(objects))) {
        const id = `${row.key} ${row.type}`;
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

/** Returns the keys that some of the objects lack, or have as optional ones. */
function partly(objects: readonly ObjectValue[]): ReadonlySet<string> {
  const names = new Set(objects.flatMap(({ keys }) => keys.map(({ name }) => name)));
  const isRequired = (name: string) =>
    objects.every(({ keys }) => keys.some((key) => key.name === name && key.required));
  return new Set([...names].filter((name) => !isRequired(name)));
}

/** Groups objects that share most of their keys. */
function similar(objects: readonly ObjectValue[]): readonly (readonly ObjectValue[])[] {
  const [first, ...others] = objects;
  if (first === undefined) return [];
  const names = new Set(first.keys.map(({ name }) => name));
  const share = ({ keys }: ObjectValue) => keys.filter(({ name }) => names.has(name)).length / keys.length;
  return others.every((each) => share(each) >= 0.75) ? [objects] : objects.map((each) => [each]);
}

/** Joins the rows of a key in two forms of an object. */
function joined(left: Row, right: Row): Row {
  return {
    ...left,
    type: [...new Set([...left.type.split(" or "), ...right.type.split(" or ")])].join(" or "),
    about: left.about.includes(right.about) ? left.about : `${left.about} ${right.about}`,
  };
}

/** Objects of equal structure may be separate values, one for each kind of database. */
function sameKeys(left: Value, right: Value): boolean {
  const [a, b] = [left, right].map((value) => JSON.stringify(objectsIn(value).map(namesOf)));
  return a === b && a !== "[]";
}

const namesOf = ({ keys }: ObjectValue): unknown => keys.map(({ name, about, value }) => [name, about, value.kind]);

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
    case "json object":
      return "JSON object";
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
  if (type === "any JSON") return type;
  if (value.kind === "choice" && type.includes(" or ")) return `(${type})`;
  return /^[A-Za-z ]+$/.test(type) && !type.startsWith("list") && !type.startsWith("map") ? `${type}s` : type;
}
