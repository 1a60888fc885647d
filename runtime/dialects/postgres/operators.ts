/** Comparison operators of PostgreSQL types (`graphql-api.md` 4.2, 4.3; `sql-generation.md` 4.2). */

import type { CastOperator, CompareOperator, Operator, StructuredOperator } from "../../definitions/operator.ts";
import type { Encoder } from "../../definitions/parameters.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { sql, verbatim } from "../../definitions/sql.ts";
import { type Comparison, type Condition, comparisons, infix, pattern } from "../comparisons.ts";
import { encodeList } from "./encode.ts";
import { pg, pgArray } from "./scalars.ts";

const call = (name: string): Condition => {
  const opening = verbatim(`${name}(`);
  return (left, right) => sql`${opening}${left}, ${right})`;
};

const text = pg("text");

/** The array type whose values are given as lists. */
function listOf(element: ScalarType): ScalarType {
  if (element.element) return listOfArrays(element);
  return { ...pgArray(element), ...pgList(element) };
}

/** For lists of what `element` encodes. */
export function pgList(element: Encoder & { readonly json?: boolean }): Encoder {
  return {
    encode: encodeList(element.encode, element.json ?? false),
    ...(element.code && { code: { name: "pgList", arguments: [element.code] } }),
  };
}

/**
 * Arrays of different lengths are no array of the database, and one of two dimensions has plain values as elements:
 * the list is one of texts, each of them an array, and the operand the rows of a sub-select.
 */
function listOfArrays(array: ScalarType): ScalarType {
  return {
    ...pgArray(array),
    encode: encodeList(array.encode, true),
    operand: (parameter) => sql`select ${array.operand(sql`item`)} from unnest(${parameter}::text[]) item`,
  };
}

interface Row extends Comparison {
  /** Type of the operand; absent: that of the column. */
  readonly operand?: ScalarType;
  /** The operand is a list of `operand`'s. */
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
  {
    name: "_contained_in",
    sql: infix("<@"),
    description: "is the array contained in the given array value",
  },
  { name: "_contains", sql: infix("@>"), description: "does the array contain the given value" },
];

const jsonbOperators: readonly Row[] = [
  {
    name: "_contained_in",
    sql: infix("<@"),
    description: "is the column contained in the given json value",
  },
  {
    name: "_contains",
    sql: infix("@>"),
    description: "does the column contain the given json value at the top level",
  },
  {
    name: "_has_key",
    sql: infix("?"),
    operand: text,
    description: "does the string exist as a top-level key in the column",
  },
  {
    name: "_has_keys_all",
    sql: infix("?&"),
    operand: text,
    list: true,
    description: "do all of these strings exist as top-level keys in the column",
  },
  {
    name: "_has_keys_any",
    sql: infix("?|"),
    operand: text,
    list: true,
    description: "do any of these strings exist as top-level keys in the column",
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

const geometryOperators: readonly Row[] = [
  ...Object.entries(geometryFunctions).map(([name, f]) => ({ name, sql: call(f) })),
];

const geographyOperators: readonly Row[] = [{ name: "_st_intersects", sql: call("ST_Intersects") }];

function castTo(target: ScalarType, inputType: string): CastOperator {
  const ending = verbatim(`::${target.cast}`);
  return { kind: "cast", name: "_cast", inputType, target, sql: (left) => sql`${left}${ending}` };
}

const casts: Readonly<Record<string, CastOperator>> = {
  jsonb: castTo(text, "jsonb_cast_exp"),
  geometry: castTo(pg("geography"), "geometry_cast_exp"),
  geography: castTo(pg("geometry"), "geography_cast_exp"),
};

const required = (type: ScalarType) => ({ type, required: true });

const distanceWithin = (name: string, f: string): StructuredOperator => {
  const opening = verbatim(`${f}(`);
  return {
    kind: "structured",
    name,
    inputType: "st_d_within_input",
    fields: { distance: required(pg("float8", { graphql: "Float" })), from: required(pg("geometry")) },
    sql: (left, [distance = sql`null`, from = sql`null`]) => sql`${opening}${left}, ${from}, ${distance})`,
  };
};

const structured: Readonly<Record<string, readonly StructuredOperator[]>> = {
  geometry: [distanceWithin("_st_3d_d_within", "ST_3DDWithin"), distanceWithin("_st_d_within", "ST_DWithin")],
  geography: [
    {
      kind: "structured",
      name: "_st_d_within",
      inputType: "st_d_within_geography_input",
      fields: {
        distance: required(pg("float8", { graphql: "Float" })),
        from: required(pg("geography")),
        use_spheroid: { type: pg("bool"), required: false, defaultValue: "true" },
      },
      sql: (left, [distance = sql`null`, from = sql`null`, spheroid = sql`true`]) =>
        sql`ST_DWithin(${left}, ${from}, ${distance}, ${spheroid})`,
    },
  ],
  raster: [
    {
      kind: "structured",
      name: "_st_intersects_geom_nband",
      inputType: "st_intersects_geom_nband_input",
      fields: { geommin: required(pg("geometry")), nband: { type: pg("int4"), required: false } },
      sql: (left, [geometry = sql`null`, band = sql`null`]) => sql`ST_Intersects(${left}, ${geometry}, ${band})`,
    },
    {
      kind: "structured",
      name: "_st_intersects_nband_geom",
      inputType: "st_intersects_nband_geom_input",
      fields: { geommin: required(pg("geometry")), nband: required(pg("int4")) },
      sql: (left, [geometry = sql`null`, band = sql`null`]) => sql`ST_Intersects(${left}, ${band}, ${geometry})`,
    },
  ],
};

const ltreeOperators: readonly Row[] = [
  { name: "_ancestor", sql: infix("@>"), description: "is the left argument an ancestor of right (or equal)?" },
  {
    name: "_ancestor_any",
    sql: infix("@>"),
    operand: pg("ltree"),
    list: true,
    description: "does array contain an ancestor of `ltree`?",
  },
  { name: "_descendant", sql: infix("<@"), description: "is the left argument a descendant of right (or equal)?" },
  {
    name: "_descendant_any",
    sql: infix("<@"),
    operand: pg("ltree"),
    list: true,
    description: "does array contain a descendant of `ltree`?",
  },
  {
    name: "_matches",
    sql: infix("~"),
    operand: pg("lquery"),
    description: "does `ltree` match `lquery`?",
  },
  {
    name: "_matches_any",
    sql: infix("?"),
    operand: pg("lquery"),
    list: true,
    description: "does `ltree` match any `lquery` in array?",
  },
  {
    name: "_matches_fulltext",
    sql: infix("@"),
    operand: pg("ltxtquery"),
    description: "does `ltree` match `ltxtquery`?",
  },
];

const byScalar: Readonly<Record<string, readonly Row[]>> = {
  String: textOperators,
  bpchar: textOperators,
  citext: textOperators,
  jsonb: jsonbOperators,
  geometry: geometryOperators,
  geography: geographyOperators,
  ltree: ltreeOperators,
  raster: [{ name: "_st_intersects_rast", sql: call("ST_Intersects") }],
};

/** Rasters have no ordering. */
const onlyEquality = new Set(["_eq", "_neq"]);

const known = new WeakMap<ScalarType, readonly Operator[]>();

/** A type can have the name of something that every object has. */
function ownRow<T>(rows: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(rows, name) ? rows[name] : undefined;
}

/** The operators of a column of this type, by name. */
export function operatorsOf(type: ScalarType): readonly Operator[] {
  let operators = known.get(type);
  if (!operators) {
    operators = makeOperators(type);
    known.set(type, operators);
  }
  return operators;
}

function makeOperators(type: ScalarType): readonly Operator[] {
  const isArray = type.element !== undefined;
  const base =
    type.graphql === "raster" && !isArray ? comparisons.filter((o) => onlyEquality.has(o.name)) : comparisons;
  const special = isArray ? arrayOperators : (ownRow(byScalar, type.graphql) ?? []);
  const operators: Operator[] = [...base, ...special].map((row) => compareOperator(row, type));
  operators.push(
    { kind: "compare", name: "_in", operand: listOf(type), list: true, sql: (l, r) => sql`${l} = any(${r})` },
    { kind: "compare", name: "_nin", operand: listOf(type), list: true, sql: (l, r) => sql`${l} <> all(${r})` },
    { kind: "flag", name: "_is_null", sql: (l, isNull) => (isNull ? sql`${l} is null` : sql`${l} is not null`) },
  );
  const cast = isArray ? undefined : ownRow(casts, type.graphql);
  if (cast) operators.push(cast);
  if (!isArray) operators.push(...(ownRow(structured, type.graphql) ?? []));
  return operators.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function compareOperator(
  { name, description, operand, list, sql, isPattern }: Row,
  column: ScalarType,
): CompareOperator {
  const type = operand ?? column;
  return {
    kind: "compare",
    name,
    operand: list ? listOf(type) : type,
    list: list ?? false,
    sql,
    ...(description === undefined ? {} : { description }),
    ...(isPattern && { isPattern }),
  };
}
