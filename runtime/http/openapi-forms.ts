/**
 * The OpenAPI document as endpoints answer, and in the plain form of the specification: what that
 * does not name is left out, and the header of the secret is a parameter of every operation.
 */
import type {
  ComponentsObject,
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  PathItemObject,
  ResponseObject,
  SchemaObject,
} from "openapi3-ts/oas30";
import { isObject } from "../values/is-object.ts";

const methods = ["get", "post", "put", "patch", "delete"] as const;

function mapOperations(document: OpenAPIObject, map: (operation: OperationObject) => OperationObject): OpenAPIObject {
  // Absent where there are no endpoints.
  const paths: OpenAPIObject["paths"] | undefined = document.paths;
  if (paths === undefined) return document;
  const items = Object.entries<PathItemObject>(paths).map(([path, item]) => {
    const operations = methods.flatMap((method) => {
      const operation = item[method];
      return operation ? [[method, map(operation)] as const] : [];
    });
    return [path, Object.fromEntries(operations)] as const;
  });
  return { ...document, paths: Object.fromEntries(items) };
}

/** Where endpoints answer the value of `data` alone (ruling 9). */
export function dataForm(document: OpenAPIObject): OpenAPIObject {
  return mapOperations(document, (operation) => {
    const response = operation.responses["200"] as ResponseObject;
    const { schema } = response.content?.["application/json"] ?? {};
    const data = (schema as SchemaObject | undefined)?.properties?.data ?? {};
    const responses = {
      ...operation.responses,
      "200": { ...response, content: { "application/json": { schema: data } } },
    };
    return { ...operation, responses };
  });
}

const secretHeader = "x-engine-admin-secret";
const secretParameter: ParameterObject = {
  in: "header",
  name: secretHeader,
  schema: { type: "string" },
  description: `Your ${secretHeader} will be used for authentication of the API request.`,
};

export function plainForm(document: OpenAPIObject): OpenAPIObject {
  const plain = mapOperations(document, (operation) => {
    const parameters = (operation.parameters as readonly ParameterObject[]).flatMap(({ example: _, ...parameter }) =>
      parameter.in === "path" || (isObject(parameter.schema) && parameter.schema.type !== undefined) ? [parameter] : [],
    );
    return {
      ...operation,
      parameters: [secretParameter, ...parameters],
      ...(operation.requestBody && { requestBody: withoutExtras(operation.requestBody) }),
      responses: { "200": withoutExtras(operation.responses["200"]) },
    } as OperationObject;
  });
  return { ...plain, components: plainComponents(document.components ?? {}) };
}

function plainComponents({ schemas = {}, ...rest }: ComponentsObject): ComponentsObject {
  const { error: _, ...types } = schemas;
  if (Object.keys(types).length === 0) return rest;
  return { ...rest, schemas: withoutExtras(types) as ComponentsObject["schemas"] & object };
}

/** Without examples, and lists of members that have to be there. */
function withoutExtras(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExtras);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(
    ([key, member]) => !(key === "required" && Array.isArray(member)) && !(key === "example" && "schema" in value),
  );
  return Object.fromEntries(kept.map(([key, member]) => [key, key === "default" ? member : withoutExtras(member)]));
}
