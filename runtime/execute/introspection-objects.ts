/**
 * The introspection types (GraphQL specification, section 4.2): how each field of `__Schema`, `__Type` and so on is
 * written from the types of a role's schema.
 */
import {
  buildSchema,
  type DirectiveDefinitionNode,
  Kind,
  parse,
  printIntrospectionSchema,
  specifiedScalarTypes,
} from "graphql";
import { interfacesOf, type TypeDef } from "../model/schema/reachable-types.ts";
import type { RoleSchema } from "../model/schema/role-schema.ts";
import { SdlTypes } from "../model/schema/sdl-types.ts";
import { type InputField, type Modifiers, type OutputField, typeSuffix } from "../model/schema/types.ts";
import { lazy } from "../values/lazy.ts";
import type { ListWriter, ObjectKind, Selection, Writer } from "./introspection-selection.ts";

/**
 * Number of cached texts of type references. A few suffice, because most references in a type are to types of the same
 * table.
 */
const cachedReferences = 16;

type Member<T> = (selected: Selection) => Writer<T>;

/** Writes a string or `null`. */
function text<T>(of: (object: T) => string | null | undefined): Member<T> {
  const json = (object: T): string => {
    const value = of(object);
    return value === undefined || value === null ? "null" : JSON.stringify(value);
  };
  return () => ({ text: json });
}

function flag<T>(of: (object: T) => boolean | null): Member<T> {
  return () => ({ text: (object) => String(of(object)) });
}

function object<T, Inner>(kind: () => ObjectKind<Inner>, of: (object: T) => Inner | null): Member<T> {
  return (selected) => {
    const write = selected.writer(kind());
    return {
      text(object) {
        const inner = of(object);
        return inner === null ? "null" : write(inner);
      },
    };
  };
}

/**
 * Writes a list.
 * @param isDeprecated absent if items cannot be deprecated
 */
function list<T, Item>(
  kind: () => ObjectKind<Item>,
  of: (object: T) => Iterable<Item> | null,
  isDeprecated?: (item: Item) => boolean,
): Member<T> {
  return (selected) => {
    const write = selected.writer(kind());
    const isOmitted = selected.withoutDeprecated ? isDeprecated : undefined;
    const list: ListWriter<T, Item> = {
      itemsOf: of,
      itemText: isOmitted === undefined ? write : (item) => (isOmitted(item) ? "" : write(item)),
    };
    return {
      text(object) {
        const items = of(object);
        if (items === null) return "null";
        let all = "";
        for (const item of items) {
          const itemText = list.itemText(item);
          if (itemText !== "") all += (all === "" ? "[" : ",") + itemText;
        }
        return all === "" ? "[]" : `${all}]`;
      },
      list,
    };
  };
}

/** Writes the type of a field or argument. Texts are cached, because most types are referenced many times. */
function reference<T>(of: (object: T) => Modifiers & { readonly type: () => TypeDef }): Member<T> {
  return (selected) => {
    const write = selected.writer(typeKind);
    /** Texts by suffix of the type, then by its name. */
    const texts = new Map<string, Map<string, string>>();
    return {
      text(object) {
        const field = of(object);
        const type = field.type();
        const suffix = typeSuffix(field);
        const byName = texts.get(suffix) ?? new Map<string, string>();
        if (byName.size === 0) texts.set(suffix, byName);
        let text = byName.get(type.name);
        if (text === undefined) {
          text = flattened(write(withSuffix(suffix, builtInTypes().get(type.name) ?? type)));
          if (byName.size >= cachedReferences) byName.clear();
          byName.set(type.name, text);
        }
        return text;
      },
    };
  };
}

/** Flattens a concatenated string to save memory. V8 flattens a string when a character is read. */
function flattened(text: string): string {
  text.charCodeAt(0);
  return text;
}

/** A list or a non-null type. */
interface WrappingType {
  readonly kind: "LIST" | "NON_NULL";
  readonly inside: DescribedType;
}

export type DescribedType = TypeDef | WrappingType;

/** @param suffix the brackets and exclamation marks after the name of the type in SDL, innermost first */
function withSuffix(suffix: string, type: DescribedType): DescribedType {
  let outermost = type;
  for (const modifier of suffix) outermost = { kind: modifier === "]" ? "LIST" : "NON_NULL", inside: outermost };
  return outermost;
}

const isWrapping = (type: DescribedType): type is WrappingType => type.kind === "LIST" || type.kind === "NON_NULL";

export type NamedField = readonly [name: string, field: OutputField];
type NamedInput = readonly [name: string, input: InputField];
type NamedValue = readonly [
  name: string,
  value: { readonly description?: string; readonly deprecation?: string | undefined },
];

export const isDeprecated = ([, { deprecation }]: readonly [
  string,
  { readonly deprecation?: string | undefined },
]): boolean => deprecation !== undefined;

const deprecationMembers = {
  isDeprecated: flag(isDeprecated),
  deprecationReason: text(([, { deprecation }]: readonly [string, { readonly deprecation?: string | undefined }]) => {
    return deprecation;
  }),
};

/** The fields of `__Type`. Fields that do not apply to a kind of type are `null`. */
export const typeKind: ObjectKind<DescribedType> = {
  typename: "__Type",
  members: {
    kind: text(kindOf),
    name: text((type) => (isWrapping(type) ? null : type.name)),
    description: text(descriptionOf),
    specifiedByURL: text(() => null),
    fields: list(
      () => fieldKind,
      (type) => (type.kind === "object" || type.kind === "interface" ? type.fields() : null),
      isDeprecated,
    ),
    interfaces: list(
      () => typeKind,
      (type) => (type.kind === "object" || type.kind === "interface" ? interfacesOf(type) : null),
    ),
    possibleTypes: list(
      () => typeKind,
      (type) => (type.kind === "interface" || type.kind === "union" ? type.types().values() : null),
    ),
    enumValues: list(
      () => valueKind,
      (type) => valuesOf(type),
      isDeprecated,
    ),
    inputFields: list(
      () => inputKind,
      (type) => (type.kind === "input" ? type.fields() : null),
      isDeprecated,
    ),
    ofType: object(
      () => typeKind,
      (type) => (isWrapping(type) ? type.inside : null),
    ),
    isOneOf: flag((type) => (type.kind === "input" ? type.isOneOf === true : null)),
  },
};

function kindOf(type: DescribedType): string {
  return type.kind === "scalar" && type.enumeration !== undefined ? "ENUM" : kindNames[type.kind];
}

const kindNames: Readonly<Record<DescribedType["kind"], string>> = {
  scalar: "SCALAR",
  enum: "ENUM",
  input: "INPUT_OBJECT",
  object: "OBJECT",
  interface: "INTERFACE",
  union: "UNION",
  LIST: "LIST",
  NON_NULL: "NON_NULL",
};

function descriptionOf(type: DescribedType): string | undefined {
  if (isWrapping(type)) return undefined;
  if (type.kind !== "scalar") return type.description;
  if (type.enumeration !== undefined) return undefined;
  return type.description ?? builtInDescriptions.get(type.name) ?? undefined;
}

function valuesOf(type: DescribedType): Iterable<NamedValue> | null {
  if (type.kind === "enum") return type.values;
  return type.kind === "scalar" ? (type.enumeration?.values ?? null) : null;
}

const builtInDescriptions = new Map(specifiedScalarTypes.map(({ name, description }) => [name, description]));

export const fieldKind: ObjectKind<NamedField> = {
  typename: "__Field",
  members: {
    name: text((named) => named[0]),
    description: text((named) => named[1].description?.()),
    args: list(
      () => inputKind,
      (named) => named[1].args(),
      isDeprecated,
    ),
    type: reference((named) => named[1]),
    ...deprecationMembers,
  },
};

/** An argument, or a field of an input object. */
const inputKind: ObjectKind<NamedInput> = {
  typename: "__InputValue",
  members: {
    name: text((named) => named[0]),
    description: text((named) => named[1].description),
    defaultValue: text((named) => named[1].defaultValue),
    type: reference((named) => named[1]),
    ...deprecationMembers,
  },
};

const valueKind: ObjectKind<NamedValue> = {
  typename: "__EnumValue",
  members: {
    name: text((named) => named[0]),
    description: text((named) => named[1].description),
    ...deprecationMembers,
  },
};

const directiveKind: ObjectKind<DirectiveDefinitionNode> = {
  typename: "__Directive",
  members: {
    name: text(({ name }) => name.value),
    description: text(({ description }) => description?.value),
    isRepeatable: flag(({ repeatable }) => repeatable),
    locations: () => ({ text: ({ locations }) => JSON.stringify(locations.map(({ value }) => value)) }),
    args: list(
      () => inputKind,
      (node) => builtIns().sdl.inputs(node.arguments),
      isDeprecated,
    ),
  },
};

/** The fields of `__Schema` except `types`, which are written during the traversal of the schema. */
export const schemaKind: ObjectKind<RoleSchema> = {
  typename: "__Schema",
  members: {
    description: text(() => null),
    queryType: object(
      () => typeKind,
      ({ query }) => query,
    ),
    mutationType: object(
      () => typeKind,
      ({ mutation }) => mutation,
    ),
    subscriptionType: object(
      () => typeKind,
      ({ subscription }) => subscription,
    ),
    directives: list(
      () => directiveKind,
      () => builtIns().directives,
    ),
  },
};

// Definitions that every schema has.

/** The executable directives. */
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

/** The introspection types with their scalars, and the directives. */
const builtIns = lazy(() => {
  const schema = buildSchema(`${directiveDefinitions} type Query { ok: Boolean }`);
  const names = Object.keys(schema.getTypeMap()).filter((name) => name !== "Query");
  const directives = parse(directiveDefinitions).definitions.filter(
    (node): node is DirectiveDefinitionNode => node.kind === Kind.DIRECTIVE_DEFINITION,
  );
  const sdl = new SdlTypes(parse(printIntrospectionSchema(schema)), { kind: "remote_member" });
  return { names, directives, sdl };
});

/** Introspection types and built-in scalars by name. */
export const builtInTypes = lazy((): ReadonlyMap<string, TypeDef> => {
  const { names, sdl } = builtIns();
  return new Map(names.map((name) => [name, sdl.outputType(name)]));
});
