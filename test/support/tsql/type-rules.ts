/** Rules about functions and types. */
import { builtIns, typeLevels } from "./functions.ts";
import type { Rule } from "./rule.ts";
import { argumentsOf, at, bareExpression, comparisons, findAll, functionName, isTree, listAt, textOf } from "./tree.ts";

const typesOf = (trees: unknown): readonly unknown[] => findAll(trees, "data_type");
const customType = (type: unknown): string | undefined => {
  const [name] = listAt(type, "Custom");
  const word = Array.isArray(name) && name.length === 1 ? at(name[0], "Identifier", "value") : undefined;
  return typeof word === "string" ? word.toLowerCase() : undefined;
};

/** Types of the parser that T-SQL lacks. */
const foreignTypes: readonly string[] = [
  "Boolean",
  "Bytea",
  "JSON",
  "JSONB",
  "Uuid",
  "TimestampNtz",
  "Interval",
  "Array",
];
const longest: readonly (readonly [kind: string, length: number])[] = [
  ["Char", 8000],
  ["Varchar", 8000],
  ["Nchar", 4000],
  ["Nvarchar", 4000],
];

/** Types without comparisons. */
const incomparable: ReadonlySet<string> = new Set(["text", "ntext", "image", "xml", "geometry", "geography", "vector"]);

/** Types that OPENJSON does not return, besides `text`. */
const withoutJson: ReadonlySet<string> = new Set([
  "ntext",
  "image",
  "sql_variant",
  "geometry",
  "geography",
  "hierarchyid",
]);

/** Returns operands of comparisons and IN, and what rows are sorted and grouped by. */
const comparedIn = (trees: unknown): readonly unknown[] => [
  ...findAll(trees, "BinaryOp")
    .filter((node) => comparisons.has(at(node, "op")))
    .flatMap((node) => [at(node, "left"), at(node, "right")]),
  ...["InSubquery", "InList", "Between"].flatMap((kind) => findAll(trees, kind).map((node) => at(node, "expr"))),
  ...findAll(trees, "order_by").flatMap((order) =>
    [...listAt({ order }, "order"), ...listAt(order, "kind", "Expressions")].map((item) => at(item, "expr")),
  ),
  ...findAll(trees, "group_by").flatMap((groups) => listAt(groups, "Expressions").flat()),
];

/** Returns the type of a column or a cast, or an empty text. */
function typeOf(operand: unknown, types: ReadonlyMap<string, string>): string {
  const bare = bareExpression(operand);
  const column = at(bare, "Identifier", "value") ?? at(listAt(bare, "CompoundIdentifier").at(-1), "value");
  const cast = at(bare, "Cast", "data_type") ?? at(bare, "Convert", "data_type");
  return customType(cast) ?? (typeof cast === "string" ? cast.toLowerCase() : (types.get(String(column)) ?? ""));
}

export const typeRules: readonly Rule[] = [
  {
    what: "an unknown function",
    error: 195,
    fails: ["select jsonb_agg(a) as x from t", "select position(a) as x from t", "select greatest(a, b) as x from t"],
    passes: ["select isnull(a, b) as x, dbo.position(a) as y from t"],
    find: ({ trees, level }) =>
      findAll(trees, "Function")
        .map(functionName)
        .filter((name) => !name.includes(".") && (builtIns.get(name)?.level ?? Number.POSITIVE_INFINITY) > level),
  },
  {
    what: "a function with too few or too many arguments",
    error: 174,
    fails: ["select isnull(a, b, c) as x from t", "select iif(a = 1, 2) as x from t"],
    passes: ["select isnull(a, b) as x from t"],
    find: ({ trees }) =>
      findAll(trees, "Function").flatMap((call) => {
        const name = functionName(call);
        const { fewest, most } = builtIns.get(name) ?? { fewest: 0, most: Number.POSITIVE_INFINITY };
        const { length } = argumentsOf(call);
        return length < fewest || length > most ? [`${name}: ${length}`] : [];
      }),
  },
  {
    what: "an unknown type",
    error: 243,
    fails: [
      "select cast(a as boolean) as x from t",
      "select cast(a as timestamptz) as x from t",
      "select cast(a as json) as x from t",
    ],
    passes: ["select cast(a as bit) as x, cast(b as datetimeoffset(3)) as y, cast(c as nvarchar(max)) as z from t"],
    find: ({ trees, level }) =>
      typesOf(trees).flatMap((type) => {
        const custom = customType(type);
        const kind = typeof type === "string" ? type : Object.keys(isTree(type) ? type : {})[0];
        if (custom !== undefined) return (typeLevels.get(custom) ?? Number.POSITIVE_INFINITY) > level ? [custom] : [];
        const isForeign = kind !== undefined && foreignTypes.includes(kind) && (kind !== "JSON" || level < 170);
        return isForeign || listAt(type, "Timestamp").includes("Tz") ? [textOf(type)] : [];
      }),
  },
  {
    what: "a type with a length that it cannot have",
    error: 131,
    fails: ["select cast(a as nvarchar(4001)) as x from t", "select cast(a as decimal(39, 2)) as x from t"],
    passes: [
      "select cast(a as nvarchar(4000)) as x, cast(a as varchar(8000)) as y, cast(a as decimal(38, 2)) as z from t",
    ],
    find: ({ trees }) =>
      typesOf(trees).flatMap((type) => {
        const isTooLong = longest.some(([kind, most]) => Number(at(type, kind, "IntegerLength", "length") ?? 0) > most);
        const [precision = 0] = [...listAt(type, "Decimal", "PrecisionAndScale"), at(type, "Decimal", "Precision")];
        return isTooLong || Number(precision ?? 0) > 38 ? [textOf(type)] : [];
      }),
  },
  {
    what: "a comparison or an order of a type that has none",
    error: 402,
    fails: [
      "select 1 as x from t where cast(a as text) = 'x'",
      "select 1 as x from t where t.body in (select b from u)",
      "select a from t order by iif(a = 1, 1, 0), body",
      "select body from t group by body",
    ],
    passes: [
      "select 1 as x from t where cast(t.body as nvarchar(max)) = @p1 and t.body is not null and t.body like @p2",
    ],
    find: ({ trees, types }) =>
      comparedIn(trees)
        .filter((operand) => incomparable.has(typeOf(operand, types)))
        .map(textOf),
  },
  {
    what: "a type that OPENJSON does not return",
    error: 13614,
    fails: [
      "select o.a from openjson(@p1) with (a text '$.a') o",
      "select o.a from openjson(@p1) with (a geometry '$.a') o",
    ],
    passes: ["select o.a from openjson(@p1) with (a nvarchar(max) '$.a', b datetime2 '$.b') o"],
    find: ({ trees }) =>
      findAll(trees, "OpenJsonTable")
        .flatMap((table) => listAt(table, "columns").map((column) => at(column, "type")))
        .filter((type) => type === "Text" || withoutJson.has(customType(type) ?? ""))
        .map(textOf),
  },
  {
    what: "AS JSON of a type other than nvarchar(max)",
    error: 13618,
    fails: ["select o.a from openjson(@p1) with (a nvarchar(4000) '$.a' as json) o"],
    passes: ["select o.a from openjson(@p1) with (a nvarchar(max) '$.a' as json) o"],
    find: ({ trees }) =>
      findAll(trees, "OpenJsonTable")
        .flatMap((table) => listAt(table, "columns").filter((column) => at(column, "as_json") === true))
        .filter((column) => at(column, "type", "Nvarchar") !== "Max")
        .map(textOf),
  },
];
