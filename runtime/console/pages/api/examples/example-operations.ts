/** Example operations for one table, as far as the schema of the role has their fields. */
import {
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from "graphql";

interface Example {
  readonly title: string;
  readonly query: string;
  /** JSON text; empty for none. */
  readonly variables: string;
}

interface TableExamples {
  /** Root field that lists the rows. */
  readonly table: string;
  readonly examples: readonly Example[];
}

type RootField = GraphQLField<unknown, unknown>;

/** Fields, columns and conditions of examples; more would hide the structure. */
const maxColumns = 4;

/**
 * Returns examples for the first table that the schema has.
 * @param names GraphQL names that tables may have, in the order of the tables
 * @returns `null` if no root field lists rows of a table
 */
export function examplesOf(schema: GraphQLSchema, names: readonly string[]): TableExamples | null {
  const fields = schema.getQueryType()?.getFields() ?? {};
  const known = names.flatMap((name) => fields[name] ?? []).find(isRowList);
  // Tables with custom names of root fields.
  const list = known ?? Object.values(fields).find(isRowList);
  const row = list && getNamedType(list.type);
  if (!isObjectType(row)) return null;
  const context = { schema, list: list as RootField, row, columns: columnsOf(row) };
  const examples = writers.flatMap((write) => write(context) ?? []);
  return { table: context.list.name, examples };
}

/** Groups have the arguments of rows, too, but require keys. */
function isRowList(field: RootField): boolean {
  const names = field.args.map(({ name }) => name);
  const isList = isListType(getNullableType(field.type)) && names.includes("where") && names.includes("order_by");
  return isList && !field.args.some(isRequiredArgument);
}

function columnsOf(type: GraphQLObjectType): readonly string[] {
  const fields = Object.values(type.getFields());
  const names = fields
    .filter((field) => isLeafType(getNamedType(field.type)) && !field.args.some(isRequiredArgument))
    .map(({ name }) => name);
  const ordered = names.includes("id") ? ["id", ...names.filter((name) => name !== "id")] : names;
  return ordered.length === 0 ? ["__typename"] : ordered.slice(0, maxColumns);
}

interface Context {
  readonly schema: GraphQLSchema;
  readonly list: RootField;
  readonly row: GraphQLObjectType;
  readonly columns: readonly string[];
}

const writers: readonly ((context: Context) => Example | undefined)[] = [
  ({ list, columns }) => ({ title: "List rows", query: listText("query ListRows", list, columns), variables: "" }),
  rowByKey,
  countRows,
  insertRow,
  ({ schema, list, columns }) => {
    const field = schema.getSubscriptionType()?.getFields()[list.name];
    return field && { title: "Subscribe", query: listText("subscription WatchRows", field, columns), variables: "" };
  },
];

const inputFields = (field: RootField, argument: string) => {
  const type = field.args.find(({ name }) => name === argument)?.type;
  const named = type && getNamedType(type);
  return isInputObjectType(named) ? named.getFields() : {};
};

function listText(head: string, field: RootField, columns: readonly string[]): string {
  const has = (name: string): boolean => field.args.some((each) => each.name === name);
  const where = inputFields(field, "where");
  const filtered = columns.find((name) => {
    const type = where[name] && getNamedType(where[name].type);
    return isInputObjectType(type) && "_is_null" in type.getFields();
  });
  const ordered = columns.find((name) => name in inputFields(field, "order_by"));
  const texts = [
    ...(filtered === undefined ? [] : [`where: {${filtered}: {_is_null: false}}`]),
    ...(ordered === undefined ? [] : [`order_by: {${ordered}: asc}`]),
    ...(has("limit") ? ["limit: 10"] : []),
  ];
  return `${head} {\n  ${field.name}${inBrackets(texts)} {\n    ${columns.join("\n    ")}\n  }\n}`;
}

const inBrackets = (texts: readonly string[]): string => (texts.length === 0 ? "" : `(${texts.join(", ")})`);

function rowByKey({ schema, row, columns }: Context): Example | undefined {
  const field = Object.values(schema.getQueryType()?.getFields() ?? {}).find(
    ({ type, args }) => getNullableType(type) === row && args.length > 0 && args.every(isRequiredArgument),
  );
  if (!field) return undefined;
  const defined = field.args.map(({ name, type }) => `$${name}: ${type}`);
  const passed = field.args.map(({ name }) => `${name}: $${name}`);
  return {
    title: "Row by key",
    query: `query RowByKey${inBrackets(defined)} {\n  ${field.name}${inBrackets(passed)} {\n    ${columns.join("\n    ")}\n  }\n}`,
    variables: jsonOf(Object.fromEntries(field.args.map(({ name, type }) => [name, sampleOf(type)]))),
  };
}

function countRows({ schema, row }: Context): Example | undefined {
  const field = Object.values(schema.getQueryType()?.getFields() ?? {}).find(({ type, args }) => {
    const aggregate = fieldsOf(type).aggregate;
    const counts = aggregate && fieldsOf(aggregate.type);
    const nodes = fieldsOf(type).nodes;
    return counts?.count && nodes && getNamedType(nodes.type) === row && !args.some(isRequiredArgument);
  });
  return (
    field && {
      title: "Count rows",
      query: `query CountRows {\n  ${field.name} {\n    aggregate {\n      count\n    }\n  }\n}`,
      variables: "",
    }
  );
}

const fieldsOf = (type: GraphQLOutputType) => {
  const named = getNamedType(type);
  return isObjectType(named) ? named.getFields() : {};
};

function insertRow({ schema, row, columns }: Context): Example | undefined {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const objects = field.args.find(({ name }) => name === "objects");
    const input = objects && getNamedType(objects.type);
    const returning = fieldsOf(field.type).returning;
    if (!isInputObjectType(input) || !returning || getNamedType(returning.type) !== row) continue;
    const query = `mutation InsertRow($objects: ${objects?.type}) {
  ${field.name}(objects: $objects) {
    affected_rows
    returning {
      ${columns.join("\n      ")}
    }
  }
}`;
    return { title: "Insert a row", query, variables: jsonOf({ objects: [rowSample(input)] }) };
  }
  return undefined;
}

function rowSample(input: GraphQLInputObjectType): Readonly<Record<string, unknown>> {
  const columns = Object.values(input.getFields()).filter(({ type }) => isLeafType(getNamedType(type)));
  return Object.fromEntries(columns.slice(0, maxColumns).map(({ name, type }) => [name, sampleOf(type)]));
}

const samples: Readonly<Record<string, unknown>> = { String: "", Boolean: true };

const numbers = new Set(["Int", "Float", "bigint", "smallint", "numeric", "float8", "real", "decimal"]);

const sampleOf = (type: GraphQLInputType): unknown => {
  const { name } = getNamedType(type);
  return numbers.has(name) ? 1 : (samples[name] ?? null);
};

const jsonOf = (value: unknown): string => JSON.stringify(value, null, 2);
