/** Cases about types: the values of responses, and each operator of each column. */
import { type CheckContext, CheckFailure, dataOf, expectEqual, type Program, responseOf } from "../context.ts";

interface TypeRef {
  readonly kind: string;
  readonly name: string | null;
  readonly ofType?: TypeRef | null;
}

interface Field {
  readonly name: string;
  readonly type: TypeRef;
}

type InputTypes = ReadonlyMap<string, readonly Field[]>;

const typesQuery = `{ __schema { types { name kind inputFields { name type { kind name ofType { kind name ofType {
  kind name ofType { kind name } } } } } } } }`;

async function inputTypes({ post }: CheckContext): Promise<InputTypes> {
  const { __schema: schema } = await dataOf(post, typesQuery);
  const { types } = schema as { types: readonly { name: string; inputFields: readonly Field[] | null }[] };
  return new Map(types.flatMap(({ name, inputFields }) => (inputFields ? [[name, inputFields] as const] : [])));
}

function namedType(type: TypeRef): TypeRef {
  return type.ofType ? namedType(type.ofType) : type;
}

const isList = (type: TypeRef): boolean => type.kind === "LIST" || (type.ofType ? isList(type.ofType) : false);

/** Returns an operand: the value of the column where the type is the column's own, else a plain value. */
function operand(type: TypeRef, own: { readonly type: string; readonly value: unknown }, types: InputTypes): unknown {
  const { name, kind } = namedType(type);
  if (isList(type) && !Array.isArray(own.value)) return [operand(namedType(type), own, types)];
  if (name === own.type) return own.value;
  if (kind === "INPUT_OBJECT") {
    const fields = types.get(name ?? "") ?? [];
    const used = fields.some((field) => field.type.kind === "NON_NULL")
      ? fields.filter((field) => field.type.kind === "NON_NULL")
      : fields.slice(0, 1);
    return Object.fromEntries(used.map((field) => [field.name, operand(field.type, own, types)]));
  }
  return plainValues[name ?? ""] ?? own.value;
}

const plainValues: Readonly<Record<string, unknown>> = { String: "a", Int: 1, Float: 1, Boolean: true };

async function values({ post, setup }: CheckContext): Promise<void> {
  const expected = setup.values ?? {};
  const columns = Object.keys(expected);
  const { sample } = await dataOf(post, `{ sample(order_by: {id: asc}) { ${columns.join(" ")} } }`);
  const [row, empty] = sample as readonly Readonly<Record<string, unknown>>[];
  const wrong = columns.filter((name) => JSON.stringify(row?.[name]) !== JSON.stringify(expected[name]));
  const listed = wrong.map(
    (name) => `${name}: ${JSON.stringify(row?.[name])} instead of ${JSON.stringify(expected[name])}`,
  );
  if (listed.length > 0) throw new CheckFailure(listed.join("; "));
  expectEqual(new Set(columns.map((name) => empty?.[name])).size, 1, "kinds of values in the row of nulls");
}

/** Compares the text that `FOR JSON` writes for each type; a failure shows it as the server wrote it. */
async function forJson({ target, setup: { forJson: expected = {} } }: CheckContext): Promise<void> {
  const wrong: string[] = [];
  for (const [column, value] of Object.entries(expected)) {
    const text = `select (select ${column} as v from dbo.sample where id = 1 for json path, without_array_wrapper) as v`;
    const [row] = await target.sql(text);
    const written = String(row?.v);
    const { v: found } = JSON.parse(written) as { readonly v: unknown };
    if (found !== value) wrong.push(`${column}: ${written} instead of ${JSON.stringify(value)}`);
  }
  if (wrong.length > 0) throw new CheckFailure(wrong.join("; "));
}

/** Operators of patterns, as which not every value can be read. */
const takesPattern = /^_n?(?:i?like|similar|i?regex)$/;

const asPattern = (value: unknown): unknown =>
  typeof value === "string" ? "a" : Array.isArray(value) ? value.map(asPattern) : value;

/** Sends each operator of a column with an operand. */
async function operatorsOf(context: CheckContext, column: Field, types: InputTypes): Promise<void> {
  const { post } = context;
  const { sample } = await dataOf(post, `{ sample(where: {id: {_eq: 1}}) { value: ${column.name} } }`);
  const [row] = sample as readonly { readonly value: unknown }[];
  const comparison = types.get(namedType(column.type).name ?? "") ?? [];
  const own = comparison.find(({ name }) => name === "_eq") ?? comparison.find(({ name }) => name === "_in");
  const type = own ? (namedType(own.type).name ?? "") : "";
  const failed: string[] = [];
  for (const operator of comparison) {
    const value = takesPattern.test(operator.name) ? asPattern(row?.value) : row?.value;
    const isOfList = /^_n?in$/.test(operator.name);
    const given = isOfList ? [value] : operand(operator.type, { type, value }, types);
    const where = { [column.name]: { [operator.name]: given } };
    const query = "query ($where: sample_bool_exp!) { sample(where: $where) { id } }";
    const { data, errors } = await responseOf(post, query, { where });
    if (errors) failed.push(`${operator.name}: ${JSON.stringify(errors[0])}`);
    else if (operator.name === "_eq" && (data?.sample as readonly unknown[] | undefined)?.length !== 1) {
      failed.push("_eq: the row with the value was not found");
    }
  }
  if (failed.length > 0) throw new CheckFailure(failed.join("; "));
}

async function copied({ post }: CheckContext): Promise<void> {
  const insert = "mutation { insert_sample(objects: [{id: 3}, {id: 4}]) { affected_rows } }";
  expectEqual((await dataOf(post, insert)).insert_sample, { affected_rows: 2 }, "inserted rows");
  const remove = "mutation { delete_sample(where: {id: {_gt: 2}}) { returning { id } } }";
  const { delete_sample: removed } = await dataOf(post, remove);
  expectEqual((removed as { readonly returning: readonly unknown[] }).returning.length, 2, "deleted rows");
}

export const types: Program = async (context) => {
  const known = await inputTypes(context);
  const columns = (known.get("sample_bool_exp") ?? []).filter(({ name }) => !name.startsWith("_"));
  return [
    { name: "values", run: () => values(context) },
    ...(context.setup.forJson ? [{ name: "texts of FOR JSON", run: () => forJson(context) }] : []),
    { name: "rows of a table with all types are inserted and deleted", run: () => copied(context) },
    ...columns.map((column) => ({
      name: `operators of ${column.name}`,
      run: () => operatorsOf(context, column, known),
    })),
  ];
};
