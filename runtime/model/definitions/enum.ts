/** Enum tables: values of referencing columns as a GraphQL enum. */
import { kindOfValue } from "../../values/describe-json.ts";
import { EngineError } from "../../values/errors.ts";
import type { Encode, Encoder } from "./parameters.ts";
import type { EnumDefinition, ScalarType } from "./scalar-type.ts";
import type { SourceDefinition } from "./table.ts";

export function defineEnum(definition: {
  readonly source: SourceDefinition;
  /** GraphQL base name of the table. */
  readonly type: string;
  readonly values: Readonly<Record<string, string | null>>;
}): EnumDefinition {
  const { type, values } = definition;
  const { naming, dialect } = definition.source;
  return {
    name: naming.type(type, "enum"),
    values: new Map(
      Object.entries(values).map(([text, comment]) => [
        naming.enumValue(text),
        { text, ...(comment === null ? {} : { description: comment }) },
      ]),
    ),
    ...(naming.upperCaseValues ? { output: dialect.upperCase } : {}),
  };
}

/**
 * Returns the type of a column that references an enum table.
 * @param base its type in the database
 */
export function enumOf(definition: EnumDefinition, base: ScalarType): ScalarType {
  return {
    ...base,
    graphql: definition.name,
    enumeration: definition,
    comparable: false,
    encode: encodeEnum(definition),
    ...(definition.output ? { output: definition.output } : {}),
    code: {
      name: "enumValue",
      arguments: [
        definition.name,
        [...definition.values.keys()],
        [...definition.values.values()].map(({ text }) => text),
      ],
    },
  };
}

/**
 * Returns the encoder for values of an enum table.
 * @param texts database values, in the order of `values`
 */
export function enumValue(
  name: string,
  values: readonly string[],
  texts: readonly string[],
): Encoder & { readonly graphql: string } {
  const known = new Map(values.map((value, i) => [value, { text: texts[i] ?? value }]));
  return { graphql: name, encode: encodeEnum({ name, values: known }) };
}

/**
 * Encodes a value. Values are validated when a request is bound, because they are parameters of a plan, like the values
 * of any scalar.
 */
function encodeEnum({ name, values }: EnumDefinition): Encode {
  return (value, path, literal = false) => {
    if (value === null || value === undefined) return null;
    if (typeof value !== "string") throw notEnumValue(name, kindOfValue(value, literal), path);
    const known = values.get(value);
    if (known) return known.text;
    const names = [...values.keys()].map((each) => `'${each}'`).join(", ");
    throw new EngineError(
      "validation-failed",
      path,
      `expected one of the values [${names}] for type '${name}', but found '${value}'`,
    );
  };
}

/**
 * Returns the error for a value that is not in an enum table.
 * @param found kind of the actual value: `a string`
 */
export function notEnumValue(type: string, found: string, path: string): EngineError {
  return new EngineError("validation-failed", path, `expected an enum value for type '${type}', but found ${found}`);
}
