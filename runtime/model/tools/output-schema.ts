/** JSON Schema of the result of a tool: the selected fields of its operation. */
import type { ScalarType } from "../definitions/scalar-type.ts";
import type { JsonSchema } from "../definitions/tools/agent-tool.ts";
import type { ResultField, SelectedField } from "../planner/request/describe-operation.ts";
import { listsOf, typeText } from "../schema/types.ts";
import {
  anything,
  columnValue,
  handlerMember,
  handlerValue,
  orNull,
  otherValue,
  type ResultOptions,
} from "./scalar-schemas.ts";

type Meta = SelectedField["field"]["meta"];

export function outputSchema(fields: readonly ResultField[], options: ResultOptions): JsonSchema {
  const required = fields.flatMap(({ key, conditional }) => (conditional ? [] : key));
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.key, fieldSchema(field, options)])),
    ...(required.length > 0 && { required }),
  };
}

function fieldSchema(field: ResultField, options: ResultOptions): JsonSchema {
  const { selected } = field;
  if (selected === undefined)
    return field.key === "__typename" || field.type.name === "String" ? { type: "string" } : anything;
  const description = descriptionOf(selected.field);
  return { ...valueSchema(field, selected, options), ...(description && { description }) };
}

/** Leaves out automatic descriptions of types, which repeat names. */
function commentOf(description: string | undefined): { readonly description?: string } {
  const isAutomatic = description === undefined || /^(?:columns and relationships of "|aggregate)/.test(description);
  return isAutomatic ? {} : { description };
}

/** Leaves out descriptions of relationships that only repeat their kind. */
function descriptionOf({ description, meta }: SelectedField["field"]): string | undefined {
  const text = description?.();
  return meta.kind === "relationship" && automaticDescriptions.has(text) ? undefined : text;
}

const automaticDescriptions: ReadonlySet<string | undefined> = new Set([
  "An object relationship",
  "An array relationship",
]);

function valueSchema(
  field: ResultField,
  { field: definition, nodes }: SelectedField,
  options: ResultOptions,
): JsonSchema {
  const column = columnOf(definition.meta, field.type.name);
  // A path into a JSON value may lead to any value.
  const hasPath = column?.json === true && nodes.some(({ arguments: given = [] }) => given.length > 0);
  if (hasPath) return anything;
  if (column?.element !== undefined) return nullable(arrayOf(column.element, options), definition.required);
  return listed(typeText(definition), listsOf(definition), () => item(field, column, options));
}

/** Returns the type of a column or computed value, unless an aggregate converts it to another type. */
function columnOf(meta: Meta, scalar: string): ScalarType | undefined {
  const type = ownTypeOf(meta);
  return type?.graphql === scalar || type?.enumeration ? type : undefined;
}

function ownTypeOf(meta: Meta): ScalarType | undefined {
  if (meta.kind === "column") return meta.column.type;
  return meta.kind === "computed" && meta.computed.kind === "value" ? meta.computed.type : undefined;
}

/** The database does not fix the number of dimensions of an array, and elements may be null. */
function arrayOf(element: ScalarType, options: ResultOptions): JsonSchema {
  const values = columnValue(element, options);
  const isAny = Object.keys(values).length === 0;
  return { type: "array", items: isAny ? anything : { anyOf: [values, { type: ["array", "null"] }] } };
}

/** Returns the schema of a type in GraphQL syntax with this number of lists around its named type. */
function listed(type: string, lists: number, named: () => JsonSchema): JsonSchema {
  const isRequired = type.endsWith("!");
  const bare = isRequired ? type.slice(0, -1) : type;
  const schema = lists === 0 ? named() : { type: "array", items: listed(bare.slice(1, -1), lists - 1, named) };
  return nullable(schema, isRequired);
}

const nullable = (schema: JsonSchema, isRequired: boolean): JsonSchema => (isRequired ? schema : orNull(schema));

function item(
  { type, fields, selected }: ResultField,
  column: ScalarType | undefined,
  options: ResultOptions,
): JsonSchema {
  const meta = selected?.field.meta;
  switch (type.kind) {
    case "scalar":
      if (type.enumeration) return { type: "string", enum: [...type.enumeration.values.keys()] };
      return column === undefined ? uncheckedScalar(type.name, meta) : columnValue(column, options);
    case "enum":
      if (meta?.kind === "action_member") return handlerMember("String");
      // The other server may have more values than the role sees.
      return isRemote(meta) ? { type: "string" } : { type: "string", enum: [...type.values.keys()] };
    case "object":
      return { ...commentOf(type.description), ...outputSchema(fields, options) };
    default:
      // Objects of an interface or a union have different members.
      return { type: "object" };
  }
}

/** Returns the schema of a scalar that is no column. Values of handlers are checked less strictly than their types. */
function uncheckedScalar(name: string, meta: Meta | undefined): JsonSchema {
  if (meta?.kind === "action_member") return handlerMember(name);
  return meta?.kind === "action" ? handlerValue(name) : otherValue(name);
}

const isRemote = (meta: Meta | undefined): boolean =>
  meta?.kind === "remote" || meta?.kind === "remote_member" || meta?.kind === "remote_join";
