/**
 * A role's schema as the objects that introspection answers with (GraphQL specification, 4.2): `__Schema`, `__Type` and
 * what they hold, each made when a request looks at it.
 */
import { buildSchema, introspectionFromSchema, specifiedScalarTypes } from "graphql";
import { interfacesOf, reachableTypes, type TypeDef } from "../schema/reachable-types.ts";
import type { RoleSchema } from "../schema/role-schema.ts";
import { behindName, type InputField, type Modifiers, type OutputField } from "../schema/types.ts";
import type { Interruptible } from "../values/interruptible.ts";
import { lazy } from "../values/lazy.ts";

/**
 * A member is a value, an object or a list of objects by the name of its field, or a function that makes it: what costs
 * something is made when it is asked for, and not kept, as few ask twice.
 */
export interface IntrospectionObject {
  readonly __typename: string;
  readonly [field: string]: unknown;
}

/** The schema of a role, and its types by name. */
export interface IntrospectedSchema {
  readonly schema: IntrospectionObject;
  readonly types: ReadonlyMap<string, IntrospectionObject>;
}

export function* introspectedSchema(role: RoleSchema): Interruptible<IntrospectedSchema> {
  const types = new Map<string, IntrospectionObject>();
  const references = new Map<string, IntrospectionObject | null>();
  const find: FindType = (name, behind) => {
    if (behind === "") return types.get(name) ?? null;
    const key = name + behind;
    let reference = references.get(key);
    if (reference === undefined) {
      const kind = behind.endsWith("]") ? "LIST" : "NON_NULL";
      reference = wrapped(kind, find(name, behind.slice(0, -1)));
      references.set(key, reference);
    }
    return reference;
  };
  for (const [name, type] of languageTypes()) types.set(name, type);
  for (const [name, type] of yield* reachableTypes(role)) {
    if (!types.has(name)) types.set(name, typeObject(type, find));
    yield;
  }
  const sorted = [...types].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, type]) => type);
  const rootOf = (type: { readonly name: string } | null) => (type === null ? null : find(type.name, ""));
  const schema = {
    __typename: "__Schema",
    description: null,
    types: sorted,
    queryType: rootOf(role.query),
    mutationType: rootOf(role.mutation),
    subscriptionType: rootOf(role.subscription),
    directives: languageDirectives(),
  };
  return { schema, types };
}

/**
 * A type by its name and what stands behind it in SDL: `]` makes a list of it, `!` says that it is not null. The same
 * object for the same reference.
 */
type FindType = (name: string, behind: string) => IntrospectionObject | null;
type Modified = Modifiers & {
  readonly type: () => { readonly name: string };
};

/** What is `null` of a type unless its kind has it. */
const nothing = {
  __typename: "__Type",
  specifiedByURL: null,
  fields: null,
  interfaces: null,
  possibleTypes: null,
  enumValues: null,
  inputFields: null,
  ofType: null,
  isOneOf: null,
};

function typeObject(type: TypeDef, find: FindType): IntrospectionObject {
  const { name } = type;
  switch (type.kind) {
    case "scalar":
      return type.enumeration === undefined
        ? { ...nothing, kind: "SCALAR", name, description: type.description ?? builtInDescriptions.get(name) ?? null }
        : enumObject(type.enumeration);
    case "enum":
      return enumObject(type);
    case "input":
      return {
        ...nothing,
        kind: "INPUT_OBJECT",
        name,
        description: type.description ?? null,
        isOneOf: false,
        inputFields: () => Array.from(type.fields(), ([field, input]) => inputObject(field, input, find)),
      };
    case "object":
      return {
        ...nothing,
        kind: "OBJECT",
        name,
        description: type.description ?? null,
        fields: () => Array.from(type.fields(), ([field, output]) => fieldObject(field, output, find)),
        interfaces: () => interfacesOf(type).map((general) => find(general.name, "")),
      };
    case "interface":
    case "union": {
      const isInterface = type.kind === "interface";
      return {
        ...nothing,
        kind: isInterface ? "INTERFACE" : "UNION",
        name,
        description: type.description ?? null,
        possibleTypes: () => Array.from(type.types().keys(), (possible) => find(possible, "")),
        fields: () =>
          isInterface ? Array.from(type.fields(), ([field, output]) => fieldObject(field, output, find)) : null,
        interfaces: () => (isInterface ? interfacesOf(type).map((general) => find(general.name, "")) : null),
      };
    }
  }
}

const builtInDescriptions = new Map(specifiedScalarTypes.map(({ name, description }) => [name, description]));

interface Enumeration {
  readonly name: string;
  readonly description?: string;
  readonly values: ReadonlyMap<string, { readonly description?: string; readonly deprecation?: string }>;
}

function enumObject({ name, description, values }: Enumeration): IntrospectionObject {
  return {
    ...nothing,
    kind: "ENUM",
    name,
    description: description ?? null,
    enumValues: Array.from(values, ([value, about]) => ({
      __typename: "__EnumValue",
      name: value,
      description: about.description ?? null,
      ...deprecated(about.deprecation),
    })),
  };
}

/** @param reason `undefined`: it is not */
const deprecated = (reason: string | undefined) => ({
  isDeprecated: reason !== undefined,
  deprecationReason: reason ?? null,
});

function fieldObject(name: string, field: OutputField, find: FindType): IntrospectionObject {
  return {
    __typename: "__Field",
    name,
    ...deprecated(field.deprecation),
    description: () => field.description?.() ?? null,
    args: () => Array.from(field.args(), ([argument, input]) => inputObject(argument, input, find)),
    type: () => modified(field, find),
  };
}

function inputObject(name: string, input: InputField, find: FindType): IntrospectionObject {
  return {
    __typename: "__InputValue",
    name,
    description: input.description ?? null,
    defaultValue: input.defaultValue ?? null,
    ...deprecated(input.deprecation),
    type: () => modified(input, find),
  };
}

function modified(field: Modified, find: FindType): IntrospectionObject | null {
  return find(field.type().name, behindName(field));
}

function wrapped(kind: "LIST" | "NON_NULL", ofType: IntrospectionObject | null): IntrospectionObject {
  return { ...nothing, kind, name: null, description: null, ofType };
}

// ---------------------------------------------------------------- what every schema has

/** Those that requests may use (`graphql-api.md` 1.7), by name. */
export const directiveDefinitions = `
  """whether this query should be cached (Engine Cloud only)"""
  directive @cached(
    """measured in seconds"""
    ttl: Int! = 60
    """refresh the cache entry"""
    refresh: Boolean! = false
  ) on QUERY
  """whether this query should be included"""
  directive @include(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
  """whether this query should be skipped"""
  directive @skip(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
`;

/** The types of introspection itself, the scalars they use, and the directives. */
const language = lazy(() => {
  const schema = buildSchema(`${directiveDefinitions} type Query { ok: Boolean }`);
  return introspectionFromSchema(schema, { specifiedByUrl: true, inputValueDeprecation: true, oneOf: true }).__schema;
});

interface WrittenType {
  readonly kind: string;
  readonly name?: string | null;
  readonly ofType?: WrittenType | null;
}

const memberTypes: Readonly<Record<string, string>> = {
  fields: "__Field",
  args: "__InputValue",
  inputFields: "__InputValue",
  enumValues: "__EnumValue",
};

const languageTypes = lazy((): ReadonlyMap<string, IntrospectionObject> => {
  const types = language().types.filter(({ name }) => name !== "Query");
  return new Map(types.map((type) => [type.name, named("__Type", type)]));
});
const languageDirectives = lazy(() =>
  language()
    .directives.filter(({ name }) => directiveDefinitions.includes(`@${name}(`))
    .map((directive) => named("__Directive", directive)),
);

/** Plain introspection JSON with the names of types that it leaves out, and references followed. */
function named(typename: string, value: object): IntrospectionObject {
  const members = Object.entries(value).map(([key, member]): [string, unknown] => {
    const type = memberTypes[key];
    if (key === "type") return [key, undefined];
    return [key, type !== undefined && Array.isArray(member) ? member.map((item) => named(type, item)) : member];
  });
  const object = { ...(typename === "__Type" && nothing), ...Object.fromEntries(members), __typename: typename };
  const { type } = value as { readonly type?: WrittenType };
  return type === undefined ? object : { ...object, type: () => referred(type) };
}

function referred({ kind, name, ofType }: WrittenType): IntrospectionObject | null {
  if (ofType && (kind === "LIST" || kind === "NON_NULL")) return wrapped(kind, referred(ofType));
  return languageTypes().get(name ?? "") ?? null;
}
