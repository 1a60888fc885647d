/** Pages of the schema's documentation as data: title, description and rows with links. */
import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isUnionType,
  print,
} from "graphql";
import type { Entry } from "../panel-state.ts";

export interface SchemaRow {
  readonly name: string;
  /** Page of the name; `undefined` without a link. */
  readonly entry?: Entry;
  /** Type as GraphQL writes it, with a link to its page. */
  readonly type?: GraphQLType;
  readonly description?: string;
}

interface SchemaPage {
  readonly title: string;
  /** Kind of type, or the type of a field. */
  readonly kind: string;
  readonly type?: GraphQLType;
  readonly description?: string;
  readonly rowsTitle: string;
  readonly rows: readonly SchemaRow[];
}

type AnyField = GraphQLField<unknown, unknown> | GraphQLInputField;

/** Returns the start page for an entry that the schema does not have. */
export function schemaPage(schema: GraphQLSchema, { type: name, field: fieldName }: Entry): SchemaPage {
  const type = name === null ? undefined : schema.getType(name);
  if (!type) return startPage(schema);
  const field = fieldName === undefined ? undefined : fieldsOf(type).find((each) => each.name === fieldName);
  return field ? fieldPage(type, field) : typePage(schema, type);
}

function startPage(schema: GraphQLSchema): SchemaPage {
  const roots = [
    ["query", schema.getQueryType()],
    ["mutation", schema.getMutationType()],
    ["subscription", schema.getSubscriptionType()],
  ] as const;
  return {
    title: "Schema",
    kind: "The types that operations begin with.",
    rowsTitle: "Root types",
    rows: roots.flatMap(([name, type]) => (type ? [{ name, type, entry: { type: type.name } }] : [])),
  };
}

const kinds: readonly (readonly [test: (type: GraphQLNamedType) => boolean, kind: string, rowsTitle: string])[] = [
  [isObjectType, "Object type", "Fields"],
  [isInterfaceType, "Interface", "Fields and types"],
  [isInputObjectType, "Input type", "Fields"],
  [isUnionType, "Union", "Types"],
  [isEnumType, "Enum", "Values"],
  [isScalarType, "Scalar", ""],
];

function typePage(schema: GraphQLSchema, type: GraphQLNamedType): SchemaPage {
  const [, kind, rowsTitle] = kinds.find(([test]) => test(type)) ?? [null, "Type", ""];
  const fields = fieldsOf(type).map((field) => rowOf(field, { type: type.name, field: field.name }));
  const types = isAbstractType(type)
    ? schema.getPossibleTypes(type).map(({ name }) => ({ name, entry: { type: name } }))
    : [];
  const values = isEnumType(type) ? type.getValues().map(({ name, ...about }) => ({ name, ...describe(about) })) : [];
  return { title: type.name, kind, rowsTitle, ...describe(type), rows: [...fields, ...types, ...values] };
}

function fieldPage(owner: GraphQLNamedType, field: AnyField): SchemaPage {
  const rows = "args" in field ? field.args.map((arg) => rowOf(arg)) : [];
  const kind = `${isInputObjectType(owner) ? "Input field" : "Field"} of ${owner.name}`;
  return { title: field.name, kind, type: field.type, ...describe(field), rowsTitle: "Arguments", rows };
}

function fieldsOf(type: GraphQLNamedType): readonly AnyField[] {
  return isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? Object.values(type.getFields()) : [];
}

function rowOf(each: AnyField | GraphQLArgument, entry?: Entry): SchemaRow {
  const value = "defaultValue" in each && each.defaultValue !== undefined && astFromValue(each.defaultValue, each.type);
  const { description } = describe(each);
  const texts = [...(value ? [`Default: ${print(value)}.`] : []), ...(description === undefined ? [] : [description])];
  return {
    name: each.name,
    type: each.type,
    ...(entry && { entry }),
    ...(texts.length > 0 && { description: texts.join(" ") }),
  };
}

interface Described {
  readonly description?: string | null | undefined;
  readonly deprecationReason?: string | null | undefined;
}

function describe({ description, deprecationReason: reason }: Described): { readonly description?: string } {
  const text = [...(reason ? [`Deprecated: ${reason}`] : []), ...(description ? [description] : [])].join("\n");
  return text === "" ? {} : { description: text };
}

const maxFound = 200;

/** Returns types and root fields whose names contain the text, at most 200: first those that begin with it. */
export function searchSchema(schema: GraphQLSchema, search: string): readonly SchemaRow[] {
  const text = search.trim().toLowerCase();
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const ranked: SchemaRow[][] = [[], []];
  const add = (name: string, row: () => SchemaRow): void => {
    const at = name.toLowerCase().indexOf(text);
    const rank = ranked[at === 0 ? 0 : 1];
    if (at >= 0 && rank && rank.length < maxFound) rank.push(row());
  };
  for (const type of Object.values(schema.getTypeMap()))
    add(type.name, () => ({ name: type.name, entry: { type: type.name } }));
  for (const root of roots) {
    for (const field of root ? fieldsOf(root) : []) {
      add(field.name, () => ({
        ...rowOf(field, { type: root?.name ?? null, field: field.name }),
        description: `Field of ${root?.name}`,
      }));
    }
  }
  return ranked.flat().slice(0, maxFound);
}

export const linkOf = (type: GraphQLType): Entry => ({ type: getNamedType(type).name });
