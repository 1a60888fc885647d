/**
 * Parses the introspection of a remote GraphQL server. Input: `data.__schema` of its response; output: its types by
 * name, or the reason why the response is not a schema.
 */
import * as z from "zod";
import { pathTo } from "../../runtime/values/errors.ts";
import { type Interruptible, runToCompletion } from "../../runtime/values/interruptible.ts";
import { decode } from "../catalog/decode-error.ts";
import type { JsonObject } from "../catalog/model.ts";
import { list, object, typed } from "../catalog/schema/combinators.ts";
import { text } from "../catalog/schema/scalars.ts";
import { checkRemoteTypes, excerpt } from "../shape/check-remote-types.ts";
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
const flag = typed("Bool", "Boolean", (value): value is boolean => typeof value === "boolean");
const about = { description: text, isDeprecated: flag, deprecationReason: text };
const field = object({
  required: { name, type: typeRef },
  optional: about,
  defaulted: { args: list(input).default([]) },
});
const enumValue = object({ required: { name }, optional: about });
/**
 * Members are decoded one at a time so that other requests can run in between: a remote server may return any number of
 * them.
 */
const undecoded = list(z.unknown()).default([]);
const type = object({
  required: { kind: text, name },
  optional: { description: text, isOneOf: flag },
  defaulted: {
    fields: undecoded,
    inputFields: undecoded,
    interfaces: undecoded,
    enumValues: undecoded,
    possibleTypes: undecoded,
  },
});
const schema = object({
  required: { types: list(z.unknown()) },
  optional: { queryType: named, mutationType: named, subscriptionType: named },
});

/** The limits are documented in `docs/how-to/remote-schemas.md`. */
const maxTypes = 50_000;
/** Limit on the total of fields, arguments, input fields, enum values, interfaces and union members. */
const maxMembers = 250_000;
const maxMembersOfType = 20_000;
/** Limit on list and non-null wrappers around a type. */
const maxWraps = 20;

type WrittenEnumValue = z.output<typeof enumValue>;
type WrittenInput = z.output<typeof input>;
type WrittenField = z.output<typeof field>;

/** Parses an introspection like `remoteShapeOf`, without interruptions. */
export const readRemoteShape = (introspection: JsonObject): RemoteIntrospection =>
  runToCompletion(remoteShapeOf(introspection));

/** Returns the shape, or the error of an invalid introspection. */
export function* remoteShapeOf(introspection: JsonObject): Interruptible<RemoteIntrospection> {
  try {
    return yield* shapeOf(introspection);
  } catch (fault) {
    if (fault instanceof ShapeFault) return { error: { message: fault.message } };
    throw fault;
  }
}

/** Error that aborts parsing; never leaves this file. */
class ShapeFault extends Error {}

function decoded<T>(form: z.ZodType<T>, value: unknown, ...place: readonly (string | number)[]): T {
  const result = decode(form, value, pathTo("$", ...place));
  if (result.ok) return result.value;
  throw new ShapeFault(`Error in ${result.error.path}: ${result.error.message}`);
}

function* shapeOf(introspection: JsonObject): Interruptible<RemoteIntrospection> {
  const { queryType, mutationType, subscriptionType, types: written } = decoded(schema, introspection);
  if (queryType === undefined) throw new ShapeFault("query root must be provided");
  if (written.length > maxTypes) {
    throw new ShapeFault(`the remote schema has ${written.length} types, and at most ${maxTypes} are accepted`);
  }
  const types = new Map<string, RemoteType>();
  const reader = new TypeReader();
  for (const [index, each] of written.entries()) {
    const read = yield* reader.type(each, index);
    if (!read.name.startsWith("__")) types.set(read.name, read);
    yield;
  }
  const problem = yield* checkRemoteTypes(types, [queryType.name, ...(mutationType ? [mutationType.name] : [])]);
  if (problem !== undefined) throw new ShapeFault(problem);
  // An invalid subscription type is ignored, so that the query and mutation fields remain available: most remote
  // schemas are used without subscriptions.
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

class TypeReader {
  #members = 0;

  *type(written: unknown, index: number): Interruptible<RemoteType> {
    const { kind, name, description, isOneOf, ...lists } = decoded(type, written, "types", index);
    let ofType = 0;
    const count = (members: number): void => {
      ofType += members;
      this.#members += members;
      if (ofType > maxMembersOfType) {
        throw tooMany(`type '${excerpt(name)}' of the remote schema`, maxMembersOfType);
      }
      if (this.#members > maxMembers) throw tooMany("the remote schema", maxMembers);
    };
    const place = (list: string) => ["types", index, list] as const;
    const read = function* <T, R>(
      form: z.ZodType<T>,
      list: keyof typeof lists,
      convert: (member: T) => R,
    ): Interruptible<readonly R[]> {
      count(lists[list].length);
      return yield* members(form, lists[list], place(list), convert);
    };
    return remoteType(kind, {
      about: { name, ...(description !== undefined && { description }) },
      fields: yield* read(field, "fields", (each) => {
        count(each.args.length);
        return remoteField(each);
      }),
      inputs: yield* read(input, "inputFields", remoteInput),
      interfaces: yield* read(named, "interfaces", nameOf),
      values: yield* read(enumValue, "enumValues", remoteEnumValue),
      members: yield* read(named, "possibleTypes", nameOf),
      isOneOf: isOneOf === true,
    });
  }
}

const nameOf = ({ name }: z.output<typeof named>): string => name;

function* members<T, R>(
  form: z.ZodType<T>,
  written: readonly unknown[],
  place: readonly (string | number)[],
  convert: (member: T) => R,
): Interruptible<readonly R[]> {
  const read: R[] = [];
  for (const [index, each] of written.entries()) {
    read.push(convert(decoded(form, each, ...place, index)));
    if (index % membersPerTurn === 0) yield;
  }
  return read;
}

/** Decoding this many members takes less than a millisecond. */
const membersPerTurn = 20;

function tooMany(owner: string, limit: number): ShapeFault {
  return new ShapeFault(
    `${owner} has more than ${limit} fields, arguments, values and members, which are not accepted`,
  );
}

/** Members of a remote type of any kind. */
interface Parts {
  readonly about: Pick<RemoteType, "name" | "description">;
  readonly fields: readonly RemoteField[];
  readonly inputs: readonly RemoteInput[];
  readonly interfaces: readonly string[];
  readonly values: readonly RemoteEnumValue[];
  readonly members: readonly string[];
  readonly isOneOf: boolean;
}

function remoteType(kind: string, { about, fields, inputs, interfaces, values, members, isOneOf }: Parts): RemoteType {
  switch (kind) {
    case "OBJECT":
      return { ...about, kind: "object", fields, interfaces: [...new Set(interfaces)] };
    case "INTERFACE":
      return { ...about, kind: "interface", fields, interfaces: [...new Set(interfaces)] };
    case "UNION":
      return { ...about, kind: "union", members };
    case "ENUM":
      return { ...about, kind: "enum", values };
    case "INPUT_OBJECT":
      return { ...about, kind: "input_object", fields: inputs, ...(isOneOf && { isOneOf }) };
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

/** Returns description and deprecation. The default reason is defined in the GraphQL specification. */
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

function remoteTypeRef({ kind, name: named = "", ofType }: WrittenRef, wraps = 0): RemoteTypeRef {
  if (wraps > maxWraps) throw new ShapeFault(`a type of the remote schema is wrapped more than ${maxWraps} times`);
  if (ofType !== undefined && kind === "LIST") return { kind: "list", of: remoteTypeRef(ofType, wraps + 1) };
  if (ofType !== undefined && kind === "NON_NULL") return { kind: "non_null", of: remoteTypeRef(ofType, wraps + 1) };
  return { kind: "named", name: named };
}
