/** JSON Schemas (draft 2020-12) of the values that the parsers accept. */
import type { Key, Value } from "./schema.ts";

type Schema = Readonly<Record<string, unknown>>;

export interface JsonSchemaOptions {
  /** Keys that another file may define, by the name of the key. */
  readonly definedElsewhere?: ReadonlySet<string>;
  /** Objects that other files may contain: an element of a list, or the list, may be `!include file`. */
  readonly mayInclude?: boolean;
}

const include: Schema = { type: "string", pattern: "^!include ", description: "A file with the value." };

/** Returns the schema of a file. */
export function jsonSchema(title: string, value: Value, options: JsonSchemaOptions = {}): Schema {
  const writer = new Writer(options);
  const root = writer.write(value);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title,
    ...root,
    ...(writer.definitions.size > 0 && { $defs: Object.fromEntries(writer.definitions) }),
  };
}

class Writer {
  readonly definitions = new Map<string, Schema>();
  readonly #options: JsonSchemaOptions;
  /** Names of the definitions by value. */
  readonly #names = new Map<Value, string>();

  constructor(options: JsonSchemaOptions) {
    this.#options = options;
  }

  /** @param hint name for a definition */
  write(value: Value, hint = "root"): Schema {
    const known = this.#names.get(value);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    if (!isDefinition(value)) return this.#body(value, hint);
    const name = this.#free(hint);
    this.#names.set(value, name);
    this.definitions.set(name, {}); // keeps the order of names
    this.definitions.set(name, this.#body(value, hint));
    return { $ref: `#/$defs/${name}` };
  }

  #free(hint: string): string {
    let name = hint;
    for (let number = 2; this.definitions.has(name); number++) name = `${hint}${number}`;
    return name;
  }

  #body(value: Value, hint: string): Schema {
    switch (value.kind) {
      case "string": {
        const { values, pattern, notEmpty } = value;
        if (values !== undefined) return { enum: values };
        return { type: "string", ...(pattern !== undefined && { pattern }), ...(notEmpty && { minLength: 1 }) };
      }
      case "constant":
        return { const: value.value };
      case "any":
        return {};
      case "json object":
        return { type: "object" };
      case "list": {
        const list = { type: "array", items: this.#orInclude(this.write(value.element, hint)) };
        return this.#orInclude(list);
      }
      case "map":
        return { type: "object", additionalProperties: this.write(value.element, hint) };
      case "object":
        return this.#object(value.keys);
      case "choice":
        return { anyOf: value.choices.map((each) => this.write(each, hint)) };
      default:
        return { type: value.kind };
    }
  }

  #orInclude(schema: Schema): Schema {
    const isScalar = typeof schema.type === "string" && !["object", "array"].includes(schema.type);
    if (!this.#options.mayInclude || isScalar || schema.enum !== undefined) return schema;
    return { anyOf: [schema, include] };
  }

  #object(keys: readonly Key[]): Schema {
    const elsewhere = this.#options.definedElsewhere ?? new Set();
    const required = keys.filter((key) => key.required && !elsewhere.has(key.name)).map(({ name }) => name);
    return {
      type: "object",
      properties: Object.fromEntries(keys.map((key) => [key.name, this.#property(key)])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    };
  }

  /** Optional keys may be `null`. */
  #property({ name, value, required, about, fallback }: Key): Schema {
    const description = fallback === undefined ? about : `${about} Default: ${fallback}.`;
    const schema = this.write(value, name);
    const typed = required ? schema : orNull(schema);
    return { description, ...typed };
  }
}

/** Returns true for values that may occur more than once, or contain themselves, and are longer than a reference. */
function isDefinition(value: Value): boolean {
  if (value.kind === "object") return value.keys.length > 1;
  return value.kind === "map" || (value.kind === "choice" && value.choices.some(({ kind }) => kind === "object"));
}

function orNull(schema: Schema): Schema {
  if (Object.keys(schema).length === 0) return schema;
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: [...schema.anyOf, { type: "null" }] };
  if (Array.isArray(schema.enum)) return { ...schema, enum: [...schema.enum, null] };
  if (typeof schema.type === "string" && schema.$ref === undefined) return { ...schema, type: [schema.type, "null"] };
  return { anyOf: [schema, { type: "null" }] };
}
