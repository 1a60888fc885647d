/** GraphQL types → JSON schemas of an OpenAPI document: inline where they are simple, components where they have names. */
import type { ReferenceObject, SchemaObject } from "openapi3-ts/oas30";
import type { InputObjectTypeDef, InputTypeDef, OutputTypeDef } from "../../runtime/model/schema/types.ts";
import type { ResultField } from "./describe-operation.ts";
import { DistinctNames } from "./distinct-names.ts";

type Schema = SchemaObject | ReferenceObject;

interface Scalar {
  readonly type: "integer" | "number" | "boolean" | "string";
  readonly pattern?: string;
}

const uuidPattern = "[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89aAbB][a-f0-9]{3}-[a-f0-9]{12}";

/** By name in small letters. */
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

/** A GraphQL type as text, taken apart: `[uuid!]!`. */
function readType(type: string): {
  readonly name: string;
  readonly item: string | undefined;
  readonly nullable: boolean;
} {
  const nullable = !type.endsWith("!");
  const bare = nullable ? type : type.slice(0, -1);
  return { name: bare.replace(/[[\]!]/g, ""), item: bare.startsWith("[") ? bare.slice(1, -1) : undefined, nullable };
}

export class OpenApiSchemas {
  /** By GraphQL type; `null`: is being made. */
  readonly #components = new Map<string, SchemaObject | null>();
  readonly #names: DistinctNames;

  /** @param reserved names of components that are added by others */
  constructor(reserved: readonly string[]) {
    this.#names = new DistinctNames(reserved);
  }

  /** In the order of their names. */
  components(): readonly (readonly [string, SchemaObject])[] {
    const made = [...this.#components].flatMap(([type, schema]) =>
      schema ? [[this.#nameOf(type), schema] as const] : [],
    );
    return made.sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** `uuid!` is `uuid_required`: names of components have no exclamation marks. */
  #nameOf(type: string): string {
    return this.#names.of(type, type.replace(/!$/, "_required"));
  }

  /** Of a parameter; `undefined` for types that the URL has no place for. @param any whether unknown scalars count */
  parameter(type: string, any: boolean): SchemaObject | undefined {
    const { name, item } = readType(type);
    if (item !== undefined) return undefined;
    const scalar = scalars.get(name.toLowerCase());
    return scalar ? { ...scalar } : any ? {} : undefined;
  }

  /** Of a variable. @param known what the schema says about the place where it stands */
  variable(type: string, known: InputTypeDef | undefined): Schema {
    const { name, item, nullable } = readType(type);
    if (item !== undefined) return { type: "array", items: this.variable(item, known), nullable };
    return this.#named(name, nullable, known ?? { kind: "scalar", name });
  }

  /** An object with the members of an answer. */
  properties(fields: readonly ResultField[]): SchemaObject {
    const required = fields.flatMap(({ key, conditional }) => (conditional ? [] : [key]));
    return {
      ...(required.length > 0 && { required }),
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
        // Without a type everything is allowed, null too.
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
      ...(required.length > 0 && { required }),
      properties: Object.fromEntries(properties),
    };
  }
}
