/**
 * Converts a document of OpenAPI 3.0 to 3.1, whose schemas are JSON Schema 2020-12: `nullable` becomes the type `null`
 * (OpenAPI 3.1.1, "Schema Object").
 */
import type { OpenAPIObject, ReferenceObject, SchemaObject } from "openapi3-ts/oas30";
import { isObject } from "../../values/is-object.ts";

/** @param document a document with schemas in parameters, bodies, responses and components only */
export function toVersion31(document: OpenAPIObject): object {
  const { schemas } = document.components ?? {};
  return {
    ...document,
    openapi: "3.1.0",
    components: { ...document.components, ...(schemas && { schemas: mapValues(schemas, schemaOf) }) },
    ...(document.paths && { paths: withSchemas(document.paths) }),
  };
}

/** Converts the schema of each parameter and media type. Names of members in schemas are never compared. */
function withSchemas(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSchemas);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === "schema" ? schemaOf(member as SchemaObject) : withSchemas(member),
    ]),
  );
}

function schemaOf(schema: SchemaObject | ReferenceObject): object {
  if ("$ref" in schema) return schema;
  const { nullable, type, enum: values, items, properties, ...others } = schema;
  return {
    ...others,
    ...(type !== undefined && { type: nullable ? [type, "null"] : type }),
    ...(values && { enum: nullable ? [...values, null] : values }),
    ...(items && { items: schemaOf(items) }),
    ...(properties && { properties: mapValues(properties, schemaOf) }),
  };
}

function mapValues<T>(values: Readonly<Record<string, T>>, map: (value: T) => object): object {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}
