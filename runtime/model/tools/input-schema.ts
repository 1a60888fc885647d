/** JSON Schema of the arguments of a tool: the variables of its operation. */
import { isJsonNumber, numberText } from "../../values/json-number.ts";
import type { SavedVariable } from "../definitions/saved/variable.ts";
import type { ScalarType } from "../definitions/scalar-type.ts";
import type { JsonSchema } from "../definitions/tools/agent-tool.ts";
import type { VariableUse } from "../planner/request/describe-operation.ts";
import { type InputField, type InputObjectTypeDef, type InputTypeDef, typeText } from "../schema/types.ts";
import { inputScalar, orNull } from "./scalar-schemas.ts";

export interface InputOptions {
  /** True if an operator with null counts as absent. */
  readonly nullCollapse: boolean;
}

export function inputSchema(
  declared: Readonly<Record<string, SavedVariable>>,
  uses: ReadonlyMap<string, readonly VariableUse[]>,
  options: InputOptions,
): JsonSchema {
  const types = new InputTypes();
  const entries = Object.entries(declared).map(([name, variable]) => {
    const isNull = (uses.get(name) ?? []).every(({ field }) => acceptsNull(field, options));
    return [name, isNull ? variable : required(variable)] as const;
  });
  const properties = entries.map(([name, variable]) => [name, types.variable(variable, uses.get(name)?.[0])] as const);
  const names = entries.flatMap(([name, variable]) => (variable.required && !("default" in variable) ? name : []));
  const definitions = types.definitions();
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(names.length > 0 && { required: names }),
    additionalProperties: false,
    ...(definitions.length > 0 && { $defs: Object.fromEntries(definitions) }),
  };
}

/** Conditions refuse null and absent variables, although the type of the variable allows them. */
function acceptsNull(field: InputField, { nullCollapse }: InputOptions): boolean {
  const { meta, nullIsValue, nullIsAbsent } = field;
  return nullIsAbsent || nullIsValue === true || meta.kind === "argument" || (nullCollapse && meta.kind === "operator");
}

const required = (variable: SavedVariable): SavedVariable =>
  variable.required ? variable : { ...variable, type: `${variable.type}!`, required: true };

/**
 * Maximum number of types in the schema of one tool. A filter refers to the filters of all related tables, and a
 * database may have thousands of tables. Types beyond the maximum accept every object.
 */
const maxDefinitions = 64;

type Composite = Exclude<InputTypeDef, { readonly kind: "scalar" }>;

/** The input objects and enums of one schema, in the order in which they are found. */
class InputTypes {
  readonly #names = new Map<Composite, string>();
  readonly #used = new Set<string>();

  variable({ type, ...variable }: SavedVariable, use: VariableUse | undefined): JsonSchema {
    const schema = this.#typed(type, (name) => this.#position(name, use));
    return {
      ...bounded(schema, use),
      ...(use?.description !== undefined && { description: use.description }),
      ...("default" in variable && { default: plain(variable.default) }),
    };
  }

  /** Returns the definitions of all types that the schemas so far refer to, sorted by name. */
  definitions(): readonly (readonly [string, JsonSchema])[] {
    const found: [string, JsonSchema][] = [];
    // Building a definition may add types to the iterated map.
    for (const [type, name] of this.#names) found.push([name, this.#definition(type)]);
    return found.sort(([a], [b]) => (a < b ? -1 : 1));
  }

  #definition(type: Composite): JsonSchema {
    const description = type.description === undefined ? {} : { description: type.description };
    if (type.kind === "enum") return { ...description, type: "string", enum: [...type.values.keys()] };
    return { ...description, ...this.#object(type) };
  }

  #object(type: InputObjectTypeDef): JsonSchema {
    const fields = [...type.fields()];
    const required = fields.flatMap(([name, field]) =>
      field.required && field.defaultValue === undefined ? name : [],
    );
    return {
      type: "object",
      properties: Object.fromEntries(fields.map(([name, field]) => [name, this.#member(field)])),
      ...(required.length > 0 && { required }),
      ...(type.isOneOf && { minProperties: 1, maxProperties: 1 }),
      additionalProperties: false,
    };
  }

  #member(field: InputField): JsonSchema {
    const of = field.type();
    const schema = this.#typed(typeText(field), () => this.#named(of, columnTypeOf(field)));
    return field.description === undefined ? schema : { ...schema, description: field.description };
  }

  /** Returns the schema of a type in GraphQL syntax. @param named returns the schema of its named type */
  #typed(type: string, named: (name: string) => JsonSchema): JsonSchema {
    if (!type.endsWith("!")) return orNull(this.#typed(`${type}!`, named));
    const bare = type.slice(0, -1);
    if (!bare.startsWith("[")) return named(bare);
    return { type: "array", items: this.#typed(bare.slice(1, -1), named) };
  }

  #position(declared: string, use: VariableUse | undefined): JsonSchema {
    // A variable for a list in one scalar may be declared as a list of its elements.
    const isOther = use === undefined || (use.type.kind === "scalar" && use.type.name !== declared);
    return isOther ? inputScalar(declared, undefined) : this.#named(use.type, columnTypeOf(use.field));
  }

  #named(type: InputTypeDef, column: ScalarType | undefined): JsonSchema {
    if (type.kind !== "scalar") return this.#reference(type);
    if (type.enumeration) return { type: "string", enum: [...type.enumeration.values.keys()] };
    return inputScalar(type.name, column);
  }

  #reference(type: Composite): JsonSchema {
    let name = this.#names.get(type);
    if (name === undefined) {
      if (this.#names.size >= maxDefinitions) return type.kind === "enum" ? { type: "string" } : { type: "object" };
      name = type.name;
      // Two sources may have types of the same name.
      for (let number = 2; this.#used.has(name); number++) name = `${type.name}_${number}`;
      this.#used.add(name);
      this.#names.set(type, name);
    }
    return { $ref: `#/$defs/${name}` };
  }
}

function columnTypeOf({ meta }: InputField): ScalarType | undefined {
  if (meta.kind === "column") return meta.column.type;
  return meta.kind === "operator" && meta.operator.kind === "compare" ? meta.operator.operand : undefined;
}

function bounded(schema: JsonSchema, use: VariableUse | undefined): JsonSchema {
  const meta = use?.field.meta;
  return meta?.kind === "argument" && meta.minimum !== undefined ? { ...schema, minimum: meta.minimum } : schema;
}

/** Returns a default value with its numbers as JavaScript numbers. */
function plain(value: unknown): unknown {
  if (isJsonNumber(value)) return Number(numberText(value));
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
