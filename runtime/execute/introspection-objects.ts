/**
 * A role's schema as the objects that introspection answers with (GraphQL specification, 4.2): `__Schema`, `__Type` and
 * what they hold, each made when a request looks at it.
 */
import { buildSchema, introspectionFromSchema, specifiedScalarTypes } from "graphql";
import { eachType, interfacesOf, type TypeDef } from "../schema/reachable-types.ts";
import type { RoleSchema } from "../schema/role-schema.ts";
import {
  type AbstractTypeDef,
  behindName,
  type InputField,
  type InputObjectTypeDef,
  type Modifiers,
  type ObjectTypeDef,
  type OutputField,
} from "../schema/types.ts";
import type { Interruptible } from "../values/interruptible.ts";
import { lazy } from "../values/lazy.ts";

/**
 * A member, by the name of its field, is a value, an object or a list of objects, or a method that makes it: what costs
 * something is made when it is asked for, and not kept, as few ask twice.
 */
export interface IntrospectionObject {
  readonly __typename: string;
}

/** What `__schema` says of a role's schema, but for its types, which are made one by one (`describedTypes`). */
export function schemaObject(role: RoleSchema): IntrospectionObject {
  const rootOf = (type: ObjectTypeDef | null) => () => (type === null ? null : typeObject(type));
  const schema = {
    __typename: "__Schema",
    description: null,
    queryType: rootOf(role.query),
    mutationType: rootOf(role.mutation),
    subscriptionType: rootOf(role.subscription),
    directives: () => languageDirectives(),
  };
  return schema;
}

/** A type by its name. */
export interface NamedType {
  readonly name: string;
  readonly type: IntrospectionObject;
}

/** Every type of a role's schema, once; `undefined` where others may have their turn. */
export function* describedTypes(role: RoleSchema): Generator<NamedType | undefined, void> {
  for (const [name, type] of languageTypes()) yield { name, type };
  for (const type of eachType(role)) {
    const isKnown = type === undefined || languageTypes().has(type.name);
    yield isKnown ? undefined : { name: type.name, type: typeObject(type) };
  }
}

/** The types of a role's schema by name. */
export function* introspectedTypes(role: RoleSchema): Interruptible<ReadonlyMap<string, IntrospectionObject>> {
  const types = new Map<string, IntrospectionObject>();
  for (const described of describedTypes(role)) {
    if (described !== undefined) types.set(described.name, described.type);
    yield;
  }
  return types;
}

/** The type of a field or argument, not looked at yet. */
export class TypeReference {
  readonly #type: TypeDef;
  readonly #behind: string;

  /** @param behind what stands behind its name in SDL: `]` makes a list of it, `!` says that it is not null */
  constructor(type: TypeDef, behind: string) {
    this.#type = type;
    this.#behind = behind;
  }

  /** The same for the same reference, and for no other. */
  get key(): string {
    return this.#type.name + this.#behind;
  }

  object(): IntrospectionObject {
    return wrappedIn(this.#behind, languageTypes().get(this.#type.name) ?? typeObject(this.#type));
  }
}

/** @param behind innermost first */
function wrappedIn(behind: string, type: IntrospectionObject): IntrospectionObject {
  let outermost = type;
  for (const modifier of behind) outermost = new WrappingType(modifier === "]" ? "LIST" : "NON_NULL", outermost);
  return outermost;
}

/** Members that a kind of types does not have are `null`. */
class DescribedType implements IntrospectionObject {
  readonly kind: string;
  readonly name: string | null;
  readonly description: string | null;

  constructor(kind: string, name: string | null, description: string | null = null) {
    this.kind = kind;
    this.name = name;
    this.description = description;
  }

  get __typename(): string {
    return "__Type";
  }

  specifiedByURL(): string | null {
    return null;
  }

  fields(): readonly IntrospectionObject[] | null {
    return null;
  }

  interfaces(): readonly IntrospectionObject[] | null {
    return null;
  }

  possibleTypes(): readonly IntrospectionObject[] | null {
    return null;
  }

  enumValues(): readonly IntrospectionObject[] | null {
    return null;
  }

  inputFields(): readonly IntrospectionObject[] | null {
    return null;
  }

  ofType(): IntrospectionObject | null {
    return null;
  }

  isOneOf(): boolean | null {
    return null;
  }
}

class WrappingType extends DescribedType {
  readonly #inside: IntrospectionObject;

  constructor(kind: "LIST" | "NON_NULL", inside: IntrospectionObject) {
    super(kind, null);
    this.#inside = inside;
  }

  override ofType(): IntrospectionObject {
    return this.#inside;
  }
}

class InputType extends DescribedType {
  readonly #type: InputObjectTypeDef;

  constructor(type: InputObjectTypeDef) {
    super("INPUT_OBJECT", type.name, type.description);
    this.#type = type;
  }

  override inputFields(): readonly IntrospectionObject[] {
    return Array.from(this.#type.fields(), ([field, input]) => new DescribedInput(field, input));
  }

  override isOneOf(): boolean {
    return false;
  }
}

class TypeWithFields extends DescribedType {
  readonly #type: ObjectTypeDef | AbstractTypeDef;

  constructor(kind: "OBJECT" | "INTERFACE", type: ObjectTypeDef | AbstractTypeDef) {
    super(kind, type.name, type.description);
    this.#type = type;
  }

  override fields(): readonly IntrospectionObject[] {
    return Array.from(this.#type.fields(), ([field, output]) => new DescribedField(field, output));
  }

  override interfaces(): readonly IntrospectionObject[] {
    return interfacesOf(this.#type).map(typeObject);
  }

  override possibleTypes(): readonly IntrospectionObject[] | null {
    return this.#type.kind === "object" ? null : Array.from(this.#type.types().values(), typeObject);
  }
}

class UnionType extends DescribedType {
  readonly #type: AbstractTypeDef;

  constructor(type: AbstractTypeDef) {
    super("UNION", type.name, type.description);
    this.#type = type;
  }

  override possibleTypes(): readonly IntrospectionObject[] {
    return Array.from(this.#type.types().values(), typeObject);
  }
}

interface Enumeration {
  readonly name: string;
  readonly description?: string;
  readonly values: ReadonlyMap<string, { readonly description?: string; readonly deprecation?: string }>;
}

class EnumType extends DescribedType {
  readonly #values: Enumeration["values"];

  constructor({ name, description, values }: Enumeration) {
    super("ENUM", name, description);
    this.#values = values;
  }

  override enumValues(): readonly IntrospectionObject[] {
    return Array.from(this.#values, ([name, { description = null, deprecation }]) => ({
      __typename: "__EnumValue",
      name,
      description,
      isDeprecated: deprecation !== undefined,
      deprecationReason: deprecation ?? null,
    }));
  }
}

function typeObject(type: TypeDef): IntrospectionObject {
  switch (type.kind) {
    case "scalar":
      return type.enumeration === undefined
        ? new DescribedType("SCALAR", type.name, type.description ?? builtInDescriptions.get(type.name))
        : new EnumType(type.enumeration);
    case "enum":
      return new EnumType(type);
    case "input":
      return new InputType(type);
    case "object":
      return new TypeWithFields("OBJECT", type);
    case "interface":
      return new TypeWithFields("INTERFACE", type);
    case "union":
      return new UnionType(type);
  }
}

const builtInDescriptions = new Map(specifiedScalarTypes.map(({ name, description }) => [name, description]));

class DescribedField implements IntrospectionObject {
  readonly name: string;
  readonly #field: OutputField;

  constructor(name: string, field: OutputField) {
    this.name = name;
    this.#field = field;
  }

  get __typename(): string {
    return "__Field";
  }

  description(): string | null {
    return this.#field.description?.() ?? null;
  }

  args(): readonly IntrospectionObject[] {
    return Array.from(this.#field.args(), ([argument, input]) => new DescribedInput(argument, input));
  }

  type(): TypeReference {
    return referenceTo(this.#field);
  }

  isDeprecated(): boolean {
    return this.#field.deprecation !== undefined;
  }

  deprecationReason(): string | null {
    return this.#field.deprecation ?? null;
  }
}

/** An argument, or a field of an input object. */
class DescribedInput implements IntrospectionObject {
  readonly name: string;
  readonly #input: InputField;

  constructor(name: string, input: InputField) {
    this.name = name;
    this.#input = input;
  }

  get __typename(): string {
    return "__InputValue";
  }

  description(): string | null {
    return this.#input.description ?? null;
  }

  defaultValue(): string | null {
    return this.#input.defaultValue ?? null;
  }

  type(): TypeReference {
    return referenceTo(this.#input);
  }

  isDeprecated(): boolean {
    return this.#input.deprecation !== undefined;
  }

  deprecationReason(): string | null {
    return this.#input.deprecation ?? null;
  }
}

function referenceTo(field: Modifiers & { readonly type: () => TypeDef }): TypeReference {
  return new TypeReference(field.type(), behindName(field));
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
  return type === undefined ? object : Object.assign(object, { type: () => referred(type) });
}

/** What is `null` of a type unless its kind has it. */
const nothing = {
  specifiedByURL: null,
  fields: null,
  interfaces: null,
  possibleTypes: null,
  enumValues: null,
  inputFields: null,
  ofType: null,
  isOneOf: null,
};

function referred({ kind, name, ofType }: WrittenType): IntrospectionObject | null {
  const inside = ofType ? referred(ofType) : null;
  if (inside !== null && (kind === "LIST" || kind === "NON_NULL")) return new WrappingType(kind, inside);
  return languageTypes().get(name ?? "") ?? null;
}
