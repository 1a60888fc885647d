/**
 * Comparison operators of PostgreSQL types, such as `_eq`, `_ilike`, `_similar`, `_contains`, and of PostGIS
 * (`_st_d_within`).
 */

import type { CastOperator, CompareOperator, Operator, StructuredOperator } from "../../definitions/operator.ts";
import type { Encoder } from "../../definitions/parameters.ts";
import { operatorName, type ScalarType } from "../../definitions/scalar-type.ts";
import { type Sql, sql, verbatim } from "../../definitions/sql.ts";
import { type Comparison, type Condition, comparison, comparisons, infix, pattern } from "../comparisons.ts";
import { distanceOperators } from "../distances.ts";
import { distances } from "./distances.ts";
import { encodeList } from "./encode.ts";
import { pg, pgArray, qualified } from "./scalars.ts";

/** Types and functions in the schema of a type's extension; for built-in types, names without a schema. */
interface ExtensionSchema {
  readonly type: (name: string) => ScalarType;
  /** Returns the start of a function call, including the opening parenthesis. */
  readonly opening: (name: string) => Sql;
}

function extensionSchemaOf({ operatorSchema: schema }: ScalarType): ExtensionSchema {
  return {
    type: (name) => (schema === undefined ? pg(name) : pg(name, { cast: `${schema}.${name}`, schema })),
    opening: (name) => verbatim(`${qualified(name, schema)}(`),
  };
}

/** Operators by equivalent keyword. Unlike keywords, operators can be qualified with a schema. */
const patternOperators: Readonly<Record<string, string>> = {
  like: "~~",
  "not like": "!~~",
  ilike: "~~*",
  "not ilike": "!~~*",
  "similar to": "~",
  "not similar to": "!~",
};

/** Returns the operator of a comparison's `symbol`. */
const operatorOf = (symbol: string): string => ownRow(patternOperators, symbol) ?? symbol;

/** Compares with the type's own operator, independent of the session's `search_path`. */
function ownCondition({ symbol, sql: condition }: Row, { operatorSchema: schema, comparedAs }: ScalarType): Condition {
  if (comparedAs !== undefined) return (left, right) => condition(comparedAs(left), right);
  if (schema === undefined || symbol === undefined) return condition;
  const own = infix(`operator(${schema}.${operatorOf(symbol)})`);
  if (!symbol.endsWith("similar to")) return own;
  return (left, right) => own(left, sql`pg_catalog.similar_escape(${right}, null)`);
}

const text = pg("text");

/** Returns the type of lists of `element`. */
function listOf(element: ScalarType): ScalarType {
  if (element.element) return listOfArrays(element);
  const list = { ...pgArray(element), ...pgList(element) };
  return element.listedAsTexts ? { ...list, operand: (parameter) => valuesOfTexts(element, parameter) } : list;
}

/** Returns a sub-select with a row for each text of a list. */
const valuesOfTexts = (type: ScalarType, texts: Sql): Sql =>
  sql`select ${type.operand(sql`item`)} from unnest(${texts}::text[]) item`;

/** Returns an encoder for lists of `element`. */
export function pgList(element: Encoder & { readonly json?: boolean }): Encoder {
  return {
    encode: encodeList(element.encode, element.json ?? false),
    ...(element.code && { code: { name: "pgList", arguments: [element.code] } }),
  };
}

/**
 * Returns the type of lists of arrays. The database has no arrays of arrays with different lengths, so the list contains
 * the text of each array, and the operand is a sub-select with a row for each.
 */
function listOfArrays(array: ScalarType): ScalarType {
  return {
    ...pgArray(array),
    encode: encodeList(array.encode, true),
    operand: (parameter) => valuesOfTexts(array, parameter),
  };
}

interface Row extends Comparison {
  /** Type of the operand; default: the type of the column. */
  readonly operand?: ScalarType;
  /** Set if the operand is a list of `operand`. */
  readonly list?: true;
}

const does = (what: string): string => `does the column match the given ${what}`;
const doesNot = (what: string): string => `does the column NOT match the given ${what}`;

const textOperators: readonly Row[] = [
  pattern("_like", "like", does("pattern")),
  pattern("_nlike", "not like", doesNot("pattern")),
  pattern("_ilike", "ilike", does("case-insensitive pattern")),
  pattern("_nilike", "not ilike", doesNot("case-insensitive pattern")),
  pattern("_similar", "similar to", does("SQL regular expression")),
  pattern("_nsimilar", "not similar to", doesNot("SQL regular expression")),
  pattern("_regex", "~", does("POSIX regular expression, case sensitive")),
  pattern("_iregex", "~*", does("POSIX regular expression, case insensitive")),
  pattern("_nregex", "!~", doesNot("POSIX regular expression, case sensitive")),
  pattern("_niregex", "!~*", doesNot("POSIX regular expression, case insensitive")),
];

const arrayOperators: readonly Row[] = [
  comparison("_contained_in", "<@", "is the array contained in the given array value"),
  comparison("_contains", "@>", "does the array contain the given value"),
];

const jsonbOperators: readonly Row[] = [
  comparison("_contained_in", "<@", "is the column contained in the given json value"),
  comparison("_contains", "@>", "does the column contain the given json value at the top level"),
  { ...comparison("_has_key", "?", "does the string exist as a top-level key in the column"), operand: text },
  {
    ...comparison("_has_keys_all", "?&", "do all of these strings exist as top-level keys in the column"),
    operand: text,
    list: true,
  },
  {
    ...comparison("_has_keys_any", "?|", "do any of these strings exist as top-level keys in the column"),
    operand: text,
    list: true,
  },
];

const geometryFunctions = {
  _st_3d_intersects: "ST_3DIntersects",
  _st_contains: "ST_Contains",
  _st_crosses: "ST_Crosses",
  _st_equals: "ST_Equals",
  _st_intersects: "ST_Intersects",
  _st_overlaps: "ST_Overlaps",
  _st_touches: "ST_Touches",
  _st_within: "ST_Within",
} as const;

function byFunction(name: string, f: string, { opening }: ExtensionSchema): Row {
  const call = opening(f);
  return { name, sql: (left, right) => sql`${call}${left}, ${right})` };
}

function castTo(target: ScalarType, inputType: string): CastOperator {
  const ending = verbatim(`::${target.cast}`);
  return { kind: "cast", name: "_cast", inputType, target, sql: (left) => sql`${left}${ending}` };
}

const casts: Readonly<Record<string, (extension: ExtensionSchema) => CastOperator>> = {
  jsonb: () => castTo(text, "jsonb_cast_exp"),
  geometry: ({ type }) => castTo(type("geography"), "geometry_cast_exp"),
  geography: ({ type }) => castTo(type("geometry"), "geography_cast_exp"),
};

const required = (type: ScalarType) => ({ type, required: true });

const distanceWithin = (name: string, f: string, { type, opening }: ExtensionSchema): StructuredOperator => {
  const call = opening(f);
  return {
    kind: "structured",
    name,
    inputType: "st_d_within_input",
    fields: { distance: required(pg("float8", { graphql: "Float" })), from: required(type("geometry")) },
    sql: (left, [distance = sql`null`, from = sql`null`]) => sql`${call}${left}, ${from}, ${distance})`,
  };
};

const structured: Readonly<Record<string, (extension: ExtensionSchema) => readonly StructuredOperator[]>> = {
  geometry: (extension) => [
    distanceWithin("_st_3d_d_within", "ST_3DDWithin", extension),
    distanceWithin("_st_d_within", "ST_DWithin", extension),
  ],
  geography: ({ type, opening }) => [
    {
      kind: "structured",
      name: "_st_d_within",
      inputType: "st_d_within_geography_input",
      fields: {
        distance: required(pg("float8", { graphql: "Float" })),
        from: required(type("geography")),
        use_spheroid: { type: pg("bool"), required: false, defaultValue: "true" },
      },
      sql: (left, [distance = sql`null`, from = sql`null`, spheroid = sql`true`]) =>
        sql`${opening("ST_DWithin")}${left}, ${from}, ${distance}, ${spheroid})`,
    },
  ],
  raster: ({ type, opening }) => [
    {
      kind: "structured",
      name: "_st_intersects_geom_nband",
      inputType: "st_intersects_geom_nband_input",
      fields: { geommin: required(type("geometry")), nband: { type: pg("int4"), required: false } },
      sql: (left, [geometry = sql`null`, band = sql`null`]) =>
        sql`${opening("ST_Intersects")}${left}, ${geometry}, ${band})`,
    },
    {
      kind: "structured",
      name: "_st_intersects_nband_geom",
      inputType: "st_intersects_nband_geom_input",
      fields: { geommin: required(type("geometry")), nband: required(pg("int4")) },
      sql: (left, [geometry = sql`null`, band = sql`null`]) =>
        sql`${opening("ST_Intersects")}${left}, ${band}, ${geometry})`,
    },
  ],
};

const ltreeOperators = ({ type }: ExtensionSchema): readonly Row[] => [
  comparison("_ancestor", "@>", "is the left argument an ancestor of right (or equal)?"),
  {
    ...comparison("_ancestor_any", "@>", "does array contain an ancestor of `ltree`?"),
    operand: type("ltree"),
    list: true,
  },
  comparison("_descendant", "<@", "is the left argument a descendant of right (or equal)?"),
  {
    ...comparison("_descendant_any", "<@", "does array contain a descendant of `ltree`?"),
    operand: type("ltree"),
    list: true,
  },
  { ...comparison("_matches", "~", "does `ltree` match `lquery`?"), operand: type("lquery") },
  {
    ...comparison("_matches_any", "?", "does `ltree` match any `lquery` in array?"),
    operand: type("lquery"),
    list: true,
  },
  { ...comparison("_matches_fulltext", "@", "does `ltree` match `ltxtquery`?"), operand: type("ltxtquery") },
];

const byScalar: Readonly<Record<string, (extension: ExtensionSchema) => readonly Row[]>> = {
  String: () => textOperators,
  bpchar: () => textOperators,
  citext: () => textOperators,
  jsonb: () => jsonbOperators,
  geometry: (extension) => Object.entries(geometryFunctions).map(([name, f]) => byFunction(name, f, extension)),
  geography: (extension) => [byFunction("_st_intersects", "ST_Intersects", extension)],
  ltree: ltreeOperators,
  raster: (extension) => [byFunction("_st_intersects_rast", "ST_Intersects", extension)],
};

const operatorCache = new WeakMap<ScalarType, readonly Operator[]>();

/** Returns an own property: a type may have the name of a member of `Object.prototype`. */
function ownRow<T>(rows: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(rows, name) ? rows[name] : undefined;
}

/** Returns the operators of a column of this type, sorted by name. */
export function operatorsOf(type: ScalarType): readonly Operator[] {
  let operators = operatorCache.get(type);
  if (!operators) {
    operators = createOperators(type);
    operatorCache.set(type, operators);
  }
  return operators;
}

function createOperators(type: ScalarType): readonly Operator[] {
  const isArray = type.element !== undefined;
  const extension = extensionSchemaOf(type);
  const special = isArray ? arrayOperators : (ownRow(byScalar, type.graphql)?.(extension) ?? []);
  const operators: Operator[] = [...comparisons, ...special].map((row) => compareOperator(row, type));
  operators.push(listOperator("_in", "=", "any", type), listOperator("_nin", "<>", "all", type), {
    kind: "flag",
    name: "_is_null",
    sql: (l, isNull) => (isNull ? sql`${l} is null` : sql`${l} is not null`),
  });
  const cast = isArray ? undefined : ownRow(casts, type.graphql);
  if (cast) operators.push(cast(extension));
  if (!isArray) operators.push(...(ownRow(structured, type.graphql)?.(extension) ?? []));
  operators.push(...distanceOperators(type, distances(type)));
  const offered = operators.filter(({ name }) => type.lacks?.includes(name) !== true);
  return offered.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function listOperator(name: string, symbol: string, quantifier: string, type: ScalarType): CompareOperator {
  const opening = verbatim(` ${operatorName(symbol, type)} ${quantifier}(`);
  const { comparedAs = (value) => value } = type;
  const condition: Condition = (left, right) => sql`${comparedAs(left)}${opening}${right})`;
  return { kind: "compare", name, operand: listOf(type), list: true, sql: condition, operator: symbol };
}

function compareOperator(row: Row, column: ScalarType): CompareOperator {
  const { name, description, operand, list, isPattern, symbol } = row;
  const type = operand ?? column;
  return {
    kind: "compare",
    name,
    operand: list ? listOf(type) : type,
    list: list ?? false,
    sql: ownCondition(row, column),
    ...(symbol === undefined ? {} : { operator: operatorOf(symbol) }),
    ...(description === undefined ? {} : { description }),
    ...(isPattern && { isPattern }),
  };
}
