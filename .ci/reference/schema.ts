/** Reads the structure of the schemas that parse metadata and arguments, with the descriptions beside them. */
import type * as z from "zod";
import { formOf } from "../../compiler/catalog/schema/combinators.ts";

/** A key of an object. */
export interface Key {
  readonly name: string;
  readonly value: Value;
  readonly required: boolean;
  /** Markdown; without the default. */
  readonly about: string;
  /** Default in Markdown. */
  readonly fallback?: string;
}

/** The values that a schema accepts. `list`, `map`, `object` and `choice` may contain themselves. */
export type Value =
  | {
      readonly kind: "string";
      readonly values?: readonly string[];
      readonly pattern?: string;
      readonly notEmpty?: true;
    }
  | { readonly kind: "integer" | "number" | "boolean" | "null" | "any" | "json object" }
  | { readonly kind: "constant"; readonly value: string | number | boolean }
  | { readonly kind: "list"; element: Value }
  | { readonly kind: "map"; element: Value }
  | { readonly kind: "object"; keys: readonly Key[] }
  | { readonly kind: "choice"; choices: readonly Value[] };

interface Definition {
  readonly type: string;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly left?: z.ZodType;
  readonly right?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly values?: readonly (string | number | boolean)[];
  readonly defaultValue?: unknown;
  readonly checks?: readonly { readonly _zod: { readonly def: Readonly<Record<string, unknown>> } }[];
}

/** Reads schemas. Equal schemas have the same value, so that recursive ones end. */
export class SchemaReader {
  readonly #known = new Map<unknown, Value>();
  readonly #common: Readonly<Record<string, string>>;

  /** @param common descriptions of keys that have none of their own */
  constructor(common: Readonly<Record<string, string>> = {}) {
    this.#common = common;
  }

  read(schema: z.ZodType): Value {
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    const form = formOf(schema);
    if (form !== undefined) return this.#readForm(schema, form);
    const definition = definitionOf(schema);
    switch (definition.type) {
      case "pipe": {
        const { in: input, out } = definition;
        if (input === undefined || out === undefined) throw new Error("invariant: a pipe has two ends");
        // The first step of a preprocessed schema is a function. It has a form if it parses the keys of an object.
        const isFunction = definitionOf(input).type === "transform" && formOf(input) === undefined;
        return this.#remember(schema, this.read(isFunction ? out : input));
      }
      case "string":
        return stringOf(definition);
      case "boolean":
        return { kind: "boolean" };
      case "literal": {
        const values = definition.values ?? [];
        return choiceOf(values.map((value) => ({ kind: "constant", value })));
      }
      case "null":
        return { kind: "null" };
      case "unknown":
      case "transform":
        return { kind: "any" };
      case "array":
        return this.#deferred<Value & { kind: "list" }>(schema, { kind: "list", element: { kind: "any" } }, (list) => {
          list.element = this.read(present(definition.element));
        });
      case "record":
        return { kind: "map", element: this.read(present(definition.valueType)) };
      case "nullable":
        return choiceOf([this.read(present(definition.innerType)), { kind: "null" }]);
      case "default":
      case "prefault":
      case "optional":
        return this.read(present(definition.innerType));
      case "lazy":
        // The getter may create a schema for each call; zod keeps the first one.
        return this.read((schema as z.ZodLazy<z.ZodType>)._zod.innerType);
      case "intersection":
        return intersection(this.read(present(definition.left)), this.read(present(definition.right)));
      // Only the names of root fields are described here: all other objects have a form.
      case "object": {
        const keys = Object.entries(definition.shape ?? {}).map(([name, value]) => ({
          name,
          value: this.read(value),
          required: false,
          about: `Name of the root field \`${name}\`, or its name and comment; \`null\` for the generated name.`,
        }));
        return { kind: "object", keys };
      }
      default:
        throw new Error(`cannot read schemas of type ${definition.type}`);
    }
  }

  #readForm(schema: z.ZodType, form: NonNullable<ReturnType<typeof formOf>>): Value {
    const known = this.#known.get(form);
    if (known !== undefined) return known;
    switch (form.kind) {
      case "object":
        return this.#deferred<Value & { kind: "object" }>(form, { kind: "object", keys: [] }, (object) => {
          const { required = {}, defaulted = {}, optional = {}, about = {} } = form.definition;
          const described = about as Readonly<Record<string, string>>;
          const key = (isRequired: boolean) => (entry: readonly [string, z.ZodType]) =>
            this.#key(entry, described, isRequired);
          object.keys = [
            ...Object.entries(required).map(key(true)),
            ...Object.entries(defaulted).map(key(false)),
            ...Object.entries(optional).map(key(false)),
          ];
        });
      case "map":
        return this.#deferred<Value & { kind: "map" }>(form, { kind: "map", element: { kind: "any" } }, (map) => {
          map.element = this.read(form.element);
        });
      case "choice": {
        const choices = form.choices();
        const [only] = choices;
        if (choices.length === 1 && only !== undefined) return this.#remember(schema, this.read(only));
        return this.#deferred<Value & { kind: "choice" }>(form, { kind: "choice", choices: [] }, (choice) => {
          choice.choices = choices.map((each) => this.read(each));
        });
      }
      case "strings":
        return { kind: "string", values: form.values };
      case "scalar":
        return scalarNamed(form.name);
    }
  }

  #key(
    [name, schema]: readonly [string, z.ZodType],
    described: Readonly<Record<string, string>>,
    required: boolean,
  ): Key {
    const text = described[name] ?? this.#common[name] ?? "";
    const [about = "", written] = text.split(/ ?Default: (?=[^.]*(?:`|[a-z]))/);
    const own = defaultOf(schema);
    const fallback =
      own === undefined
        ? written?.replace(/\.$/, "")
        : `\`${JSON.stringify(own).replaceAll('"', "").replaceAll(",", ", ")}\``;
    return { name, value: this.read(schema), required, about, ...(fallback !== undefined && { fallback }) };
  }

  #remember<V extends Value>(key: unknown, value: V): V {
    this.#known.set(key, value);
    return value;
  }

  /** Registers the value before its parts are read, which may contain it. */
  #deferred<V extends Value>(key: unknown, value: V, fill: (value: V) => void): V {
    this.#known.set(key, value);
    fill(value);
    return value;
  }
}

function definitionOf(schema: z.ZodType): Definition {
  return schema._zod.def as unknown as Definition;
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("invariant: a schema lacks a part");
  return value;
}

function stringOf({ checks = [] }: Definition): Value {
  const patterns = checks.flatMap(({ _zod: { def } }) => (def.pattern instanceof RegExp ? [def.pattern.source] : []));
  const notEmpty = checks.some(({ _zod: { def } }) => def.check === "min_length");
  const [pattern] = patterns;
  return { kind: "string", ...(pattern !== undefined && { pattern }), ...(notEmpty && { notEmpty }) };
}

const scalars: Readonly<Record<string, Value>> = {
  Double: { kind: "number" },
  Int: { kind: "integer" },
  Value: { kind: "any" },
  Object: { kind: "json object" },
};

function scalarNamed(name: string): Value {
  return present(scalars[name]);
}

function choiceOf(choices: readonly Value[]): Value {
  const [only] = choices;
  return choices.length === 1 && only !== undefined ? only : { kind: "choice", choices };
}

/** Joins the keys of two objects. Each object may be a choice of several. */
function intersection(left: Value, right: Value): Value {
  if (left.kind === "choice") return choiceOf(left.choices.map((each) => intersection(each, right)));
  if (right.kind === "choice") return choiceOf(right.choices.map((each) => intersection(left, each)));
  if (left.kind !== "object" || right.kind !== "object") return left.kind === "object" ? left : right;
  return { kind: "object", keys: [...left.keys, ...right.keys] };
}

/** Returns the default of a schema; `undefined` if it has none. */
function defaultOf(schema: z.ZodType): unknown {
  const { type, defaultValue } = definitionOf(schema);
  return type === "default" || type === "prefault" ? defaultValue : undefined;
}
