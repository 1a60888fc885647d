/** Converts GraphQL types of parameters, bodies and results to JSON schemas of an OpenAPI document: inline if simple, otherwise as components. */
import type { ReferenceObject, SchemaObject } from "openapi3-ts/oas30";
import type { ResultField } from "../planner/request/describe-operation.ts";
import type { InputObjectTypeDef, InputTypeDef, OutputTypeDef } from "../schema/types.ts";

type Schema = SchemaObject | ReferenceObject;

interface Scalar {
  readonly type: "integer" | "number" | "boolean" | "string";
  readonly pattern?: string;
}

const uuidPattern = "[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89aAbB][a-f0-9]{3}-[a-f0-9]{12}";

/** By name in lower case. */
const scalars: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ["int", { type: "integer" }],
  ["float", { type: "number" }],
  ["double", { type: "number" }],
  ["uuid", { type: "string", pattern: uuidPattern }],
  ["bool", { type: "boolean" }],
  ["boolean", { type: "boolean" }],
  ["string", { type: "string" }],
  ["id", { type: "string" }],
]);

/** Parses the text of a GraphQL type such as `[uuid!]!`. */
function parseTypeText(type: string): {
  readonly name: string;
  readonly item: string | undefined;
  readonly nullable: boolean;
} {
  const nullable = !type.endsWith("!");
  const bare = nullable ? type : type.slice(0, -1);
  return { name: bare.replace(/[[\]!]/g, ""), item: bare.startsWith("[") ? bare.slice(1, -1) : undefined, nullable };
}

/** The members of a type with `@oneOf`. */
const oneMember = { minProperties: 1, maxProperties: 1 } as const;

interface OpenApiSchemasSettings {
  /** Names of other components of the document. */
  readonly reserved: readonly string[];
  /** Adds the lists of required members to objects. */
  readonly listsRequired: boolean;
}

export class OpenApiSchemas {
  /** By GraphQL type; `null` while a recursive type is being converted. */
  readonly #components = new Map<string, SchemaObject | null>();
  readonly #names: DistinctNames;
  readonly #listsRequired: boolean;

  constructor({ reserved, listsRequired }: OpenApiSchemasSettings) {
    this.#names = new DistinctNames(reserved);
    this.#listsRequired = listsRequired;
  }

  /** Returns the components in the order of their names. */
  components(): readonly (readonly [string, SchemaObject])[] {
    const made = [...this.#components].flatMap(([type, schema]) =>
      schema ? [[this.#nameOf(type), schema] as const] : [],
    );
    return made.sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Returns the component name of a type: `uuid_required` for `uuid!`, since exclamation marks are not allowed. */
  #nameOf(type: string): string {
    return this.#names.of(type, type.replace(/!$/, "_required"));
  }

  /**
   * Returns the schema of a path or query parameter; `undefined` if the type cannot be one.
   * @param any true if scalars that are not listed here are allowed
   */
  parameter(type: string, any: boolean): SchemaObject | undefined {
    const { name, item } = parseTypeText(type);
    if (item !== undefined) return undefined;
    const scalar = scalars.get(name.toLowerCase());
    return scalar ? { ...scalar } : any ? {} : undefined;
  }

  /**
   * Returns the schema of a variable.
   * @param known the input type at the position where it is used
   */
  variable(type: string, known: InputTypeDef | undefined): Schema {
    const { name, item, nullable } = parseTypeText(type);
    if (item !== undefined) return { type: "array", items: this.variable(item, known), nullable };
    return this.#named(name, nullable, known ?? { kind: "scalar", name });
  }

  /** Returns the schema of an object with the members of a result. */
  properties(fields: readonly ResultField[]): SchemaObject {
    const required = fields.flatMap(({ key, conditional }) => (conditional ? [] : [key]));
    return {
      ...this.#required(required),
      properties: Object.fromEntries(fields.map((field) => [field.key, this.#field(field)])),
    };
  }

  #field({ type, list, required, nullableItems, fields }: ResultField): Schema {
    const item = (nullable: boolean): Schema => {
      switch (type.kind) {
        case "scalar":
        case "enum":
          return this.#named(type.name, nullable, type);
        default:
          return this.#object(type, nullable, fields);
      }
    };
    return list ? { type: "array", items: item(nullableItems), nullable: !required } : item(!required);
  }

  #object(type: OutputTypeDef, nullable: boolean, fields: readonly ResultField[]): SchemaObject {
    const description = "description" in type ? type.description : undefined;
    return {
      title: type.name,
      type: "object",
      ...(description !== undefined && { description }),
      nullable,
      ...(fields.length > 0 && this.properties(fields)),
    };
  }

  #named(name: string, nullable: boolean, type: InputTypeDef): Schema {
    const scalar = scalars.get(name.toLowerCase());
    if (type.kind === "scalar" && !type.enumeration && scalar && scalar.pattern === undefined) {
      return { title: name, nullable, ...scalar };
    }
    const component = nullable ? name : `${name}!`;
    const $ref = `#/components/schemas/${this.#nameOf(component)}`;
    if (!this.#components.has(component)) {
      this.#components.set(component, null);
      this.#components.set(component, this.#component(name, nullable, type));
    }
    return { $ref };
  }

  #component(name: string, nullable: boolean, type: InputTypeDef): SchemaObject {
    switch (type.kind) {
      case "scalar": {
        const values = type.enumeration && { type: "string" as const, enum: [...type.enumeration.values.keys()] };
        const known = values ?? scalars.get(name.toLowerCase());
        // A schema without a type allows every value, including null.
        return known ? { title: name, nullable, ...known } : { title: name };
      }
      case "enum":
        return { title: name, type: "string", nullable, enum: [...type.values.keys()] };
      case "input":
        return this.#input(type, nullable);
    }
  }

  #input(type: InputObjectTypeDef, nullable: boolean): SchemaObject {
    const fields = [...type.fields()];
    const required = fields.flatMap(([key, field]) => (field.required ? [key] : []));
    const properties = fields.map(([key, field]) => {
      const of = field.type();
      const item = this.#named(of.name, field.list ? field.nullableItems === true : !field.required, of);
      return [key, field.list ? { type: "array" as const, items: item, nullable: !field.required } : item] as const;
    });
    return {
      title: type.name,
      type: "object",
      ...(type.description !== undefined && { description: type.description }),
      nullable,
      ...this.#required(required),
      ...(type.isOneOf && oneMember),
      properties: Object.fromEntries(properties),
    };
  }

  #required(members: readonly string[]): { readonly required?: string[] } {
    return this.#listsRequired && members.length > 0 ? { required: [...members] } : {};
  }
}

/** Names that stay distinct after client generators change their case or remove characters between words. */
export class DistinctNames {
  readonly #used: Set<string>;
  readonly #names = new Map<string, string>();

  constructor(reserved: readonly string[] = []) {
    this.#used = new Set(reserved.map(comparable));
  }

  /** Returns the name for a key, which is the same on every call. */
  of(key: string, preferred: string): string {
    const existing = this.#names.get(key);
    if (existing !== undefined) return existing;
    let name = preferred;
    for (let i = 2; this.#used.has(comparable(name)); i++) name = `${preferred}_${i}`;
    this.#used.add(comparable(name));
    this.#names.set(key, name);
    return name;
  }
}

const comparable = (name: string): string => name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
