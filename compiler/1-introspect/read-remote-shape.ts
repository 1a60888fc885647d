/**
 * Reads the introspection of a remote GraphQL server (`automation.md` E.2). Input: `data.__schema` of its answer; output:
 * its types by name, or why the answer is no schema.
 */
import * as z from "zod";
import { decode } from "../catalog/decode-error.ts";
import type { JsonObject } from "../catalog/model.ts";
import { list, object, typed } from "../catalog/schema/combinators.ts";
import { text } from "../catalog/schema/scalars.ts";
import { checkRemoteTypes } from "../shape/check-remote-types.ts";
import type {
  RemoteEnumValue,
  RemoteField,
  RemoteInput,
  RemoteIntrospection,
  RemoteType,
  RemoteTypeRef,
} from "../shape/remote-shape.ts";

interface WrittenRef {
  readonly kind: string;
  readonly name?: string;
  readonly ofType?: WrittenRef;
}

const name = typed("Name", "String", (value): value is string => typeof value === "string");
const named = object({ required: { name } });
const typeRef: z.ZodType<WrittenRef> = z.lazy(() =>
  object({ required: { kind: text }, optional: { name, ofType: typeRef } }),
);
const input = object({ required: { name, type: typeRef }, optional: { description: text, defaultValue: text } });
const deprecated = typed("Bool", "Boolean", (value): value is boolean => typeof value === "boolean");
const about = { description: text, isDeprecated: deprecated, deprecationReason: text };
const field = object({
  required: { name, type: typeRef },
  optional: about,
  defaulted: { args: list(input).default([]) },
});
const enumValue = object({ required: { name }, optional: about });
const type = object({
  required: { kind: text, name },
  optional: { description: text },
  defaulted: {
    fields: list(field).default([]),
    inputFields: list(input).default([]),
    interfaces: list(named).default([]),
    enumValues: list(enumValue).default([]),
    possibleTypes: list(named).default([]),
  },
});
const schema = object({
  required: { types: list(type) },
  optional: { queryType: named, mutationType: named, subscriptionType: named },
});

type WrittenEnumValue = z.output<typeof enumValue>;
type WrittenInput = z.output<typeof input>;
type WrittenField = z.output<typeof field>;
type WrittenType = z.output<typeof type>;

/** The Shape, or what is wrong with the answer in the words of the specification. */
export function readRemoteShape(introspection: JsonObject): RemoteIntrospection {
  const decoded = decode(schema, introspection, "$");
  if (!decoded.ok) return { error: { message: `Error in ${decoded.error.path}: ${decoded.error.message}` } };
  const { queryType, mutationType, subscriptionType, types: written } = decoded.value;
  if (queryType === undefined) return { error: { message: "query root has to be provided" } };
  const types = new Map<string, RemoteType>();
  for (const each of written) if (!each.name.startsWith("__")) types.set(each.name, remoteType(each));
  const problem = checkRemoteTypes(types, [queryType.name, ...(mutationType ? [mutationType.name] : [])]);
  if (problem !== undefined) return { error: { message: problem } };
  // Most remote schemas are used without: what is wrong with it must not take their other fields away.
  const hasSubscriptions = subscriptionType !== undefined && types.get(subscriptionType.name)?.kind === "object";
  return {
    shape: {
      query: queryType.name,
      ...(mutationType !== undefined && { mutation: mutationType.name }),
      ...(hasSubscriptions && { subscription: subscriptionType.name }),
      types,
      introspection,
    },
  };
}

function remoteType({ kind, name, description, ...parts }: WrittenType): RemoteType {
  const about = { name, ...(description !== undefined && { description }) };
  switch (kind) {
    case "OBJECT":
      return {
        ...about,
        kind: "object",
        fields: parts.fields.map(remoteField),
        interfaces: parts.interfaces.map((each) => each.name),
      };
    case "INTERFACE":
      return {
        ...about,
        kind: "interface",
        fields: parts.fields.map(remoteField),
        interfaces: parts.interfaces.map((each) => each.name),
      };
    case "UNION":
      return { ...about, kind: "union", members: parts.possibleTypes.map((each) => each.name) };
    case "ENUM":
      return { ...about, kind: "enum", values: parts.enumValues.map(remoteEnumValue) };
    case "INPUT_OBJECT":
      return { ...about, kind: "input_object", fields: parts.inputFields.map(remoteInput) };
    default:
      return { ...about, kind: "scalar" };
  }
}

function remoteField({ name, type: written, args, ...parts }: WrittenField): RemoteField {
  return { name, type: remoteTypeRef(written), arguments: args.map(remoteInput), ...aboutOf(parts) };
}

function remoteEnumValue({ name, ...parts }: WrittenEnumValue): RemoteEnumValue {
  return { name, ...aboutOf(parts) };
}

type About = Pick<WrittenField, "description" | "isDeprecated" | "deprecationReason">;

/** The reason is that of the specification where the server gives none. */
function aboutOf({ description, isDeprecated, deprecationReason }: About) {
  return {
    ...(description !== undefined && { description }),
    ...(isDeprecated === true && { deprecation: deprecationReason ?? "No longer supported" }),
  };
}

function remoteInput({ name, type: written, defaultValue, description }: WrittenInput): RemoteInput {
  return {
    name,
    type: remoteTypeRef(written),
    ...(defaultValue !== undefined && { defaultValue }),
    ...(description !== undefined && { description }),
  };
}

function remoteTypeRef({ kind, name: named = "", ofType }: WrittenRef): RemoteTypeRef {
  if (ofType !== undefined && kind === "LIST") return { kind: "list", of: remoteTypeRef(ofType) };
  if (ofType !== undefined && kind === "NON_NULL") return { kind: "non_null", of: remoteTypeRef(ofType) };
  return { kind: "named", name: named };
}
