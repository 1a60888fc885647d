/**
 * The objects that introspection answers with (GraphQL specification, 4.2): `__Schema`, `__Type` and what they hold, read
 * from the types of a role's schema, and how each of their members is written.
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
import { behindName, type InputField, type Modifiers, type OutputField } from "../model/schema/types.ts";
import { lazy } from "../values/lazy.ts";
import type { ListWriter, ObjectKind, Selection, Writer } from "./introspection-selection.ts";

/** Texts of references that are kept: types refer to those of the same table mostly. */
const referencesKept = 16;

type Member<T> = (selected: Selection) => Writer<T>;

/** A member that is a text or `null`. */
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

function object<T, Held>(kind: () => ObjectKind<Held>, of: (object: T) => Held | null): Member<T> {
  return (selected) => {
    const write = selected.writer(kind());
    return {
      text(object) {
        const held = of(object);
        return held === null ? "null" : write(held);
      },
    };
  };
}

/** @param isDeprecated absent: no item can be */
function list<T, Item>(
  kind: () => ObjectKind<Item>,
  of: (object: T) => Iterable<Item> | null,
  isDeprecated?: (item: Item) => boolean,
): Member<T> {
  return (selected) => {
    const write = selected.writer(kind());
    const isLeftOut = selected.withoutDeprecated ? isDeprecated : undefined;
    const list: ListWriter<T, Item> = {
      itemsOf: of,
      itemText: isLeftOut === undefined ? write : (item) => (isLeftOut(item) ? "" : write(item)),
    };
    return {
      text(object) {
        const items = of(object);
        if (items === null) return "null";
        let all = "";
        for (const item of items) {
          const text = list.itemText(item);
          if (text !== "") all += (all === "" ? "[" : ",") + text;
        }
        return all === "" ? "[]" : `${all}]`;
      },
      list,
    };
  };
}

/** The type of a field or argument: most types are referred to many times, so texts are kept. */
function reference<T>(of: (object: T) => Modifiers & { readonly type: () => TypeDef }): Member<T> {
  return (selected) => {
    const write = selected.writer(typeKind);
    /** By what stands behind the name of the type, then by the name. */
    const texts = new Map<string, Map<string, string>>();
    return {
      text(object) {
        const field = of(object);
        const type = field.type();
        const behind = behindName(field);
        const byName = texts.get(behind) ?? new Map<string, string>();
        if (byName.size === 0) texts.set(behind, byName);
        let known = byName.get(type.name);
        if (known === undefined) {
          known = inOnePiece(write(wrappedIn(behind, languageTypes().get(type.name) ?? type)));
          if (byName.size >= referencesKept) byName.clear();
          byName.set(type.name, known);
        }
        return known;
      },
    };
  };
}

/** The same text: reading a character makes V8 put together what was added up, which takes less memory where it is kept. */
function inOnePiece(text: string): string {
  text.charCodeAt(0);
  return text;
}

/** A list of a type, or a type without null. */
interface WrappingType {
  readonly kind: "LIST" | "NON_NULL";
  readonly inside: DescribedType;
}

export type DescribedType = TypeDef | WrappingType;

/** @param behind what stands behind the name of the type in SDL, innermost first */
function wrappedIn(behind: string, type: DescribedType): DescribedType {
  let outermost = type;
  for (const modifier of behind) outermost = { kind: modifier === "]" ? "LIST" : "NON_NULL", inside: outermost };
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

/** Members that a kind of types does not have are `null`. */
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
    isOneOf: flag((type) => (type.kind === "input" ? false : null)),
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
      (node) => language().sdl.inputs(node.arguments),
      isDeprecated,
    ),
  },
};

/** What is said of a role's schema, but for its types: these are written as they are met. */
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
      () => language().directives,
    ),
  },
};

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
  const names = Object.keys(schema.getTypeMap()).filter((name) => name !== "Query");
  const directives = parse(directiveDefinitions).definitions.filter(
    (node): node is DirectiveDefinitionNode => node.kind === Kind.DIRECTIVE_DEFINITION,
  );
  const sdl = new SdlTypes(parse(printIntrospectionSchema(schema)), { kind: "remote_member" });
  return { names, directives, sdl };
});

/** By name. */
export const languageTypes = lazy((): ReadonlyMap<string, TypeDef> => {
  const { names, sdl } = language();
  return new Map(names.map((name) => [name, sdl.outputType(name)]));
});
