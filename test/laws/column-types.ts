/**
 * Column types with PostgreSQL's behaviour in plain TypeScript, and few values of each, so that rows match by chance.
 * Values are JSON as in responses; text compares by bytes (locale C).
 */

export type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };

export interface ColumnType {
  readonly sql: string;
  /** Type in declarations of variables. */
  readonly graphql: string;
  readonly values: readonly Value[];
  /** Compares two values; absent if the law does not sort by the type. */
  readonly compare?: (a: Value, b: Value) => number;
  /** Returns the text that the database parses as the value. */
  readonly text: (value: Value) => string;
  /** Operators by name, or by path for nested operators. */
  readonly operators: Readonly<Record<string, OperatorRule>>;
  /** `numeric` also supports sums. */
  readonly aggregates?: "numeric" | "comparable";
  /** Paths within JSON values. */
  readonly paths?: readonly (readonly (string | number)[])[];
}

export interface OperatorRule {
  /** Variable type of the operand; absent if it is always a literal in the document. */
  readonly graphql?: string;
  readonly operands: readonly unknown[];
  /** Compares a non-null value and operand; `null` for unknown. */
  readonly holds: (value: Value, operand: never) => boolean | null;
  /** Returns the operand as a session variable; absent if the law does not use one. */
  readonly text?: (operand: never) => string;
}

/** Returns a text that is equal for equal values. */
export function keyOf(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(keyOf).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${keyOf(member as Value)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

const byBytes = (a: Value, b: Value): number => Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
const byNumber = (a: Value, b: Value): number => Number(a) - Number(b);

function byElements(a: Value, b: Value, compare: (x: Value, y: Value) => number): number {
  const left = a as readonly Value[];
  const right = b as readonly Value[];
  for (const [i, x] of left.entries()) {
    const y = right[i];
    if (y === undefined) return 1;
    const order = compare(x, y);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

interface Basics {
  readonly sql: string;
  readonly graphql: string;
  readonly values: readonly Value[];
  readonly compare?: (a: Value, b: Value) => number;
  readonly text?: (value: Value) => string;
  readonly aggregates?: "numeric" | "comparable";
  readonly operators?: Readonly<Record<string, OperatorRule>>;
  readonly paths?: readonly (readonly (string | number)[])[];
}

/** Returns lists of up to three values. */
function listsOf(values: readonly Value[]): readonly (readonly Value[])[] {
  const [a = null, b = a, c = b] = values;
  return [[], [a], [b, c], [c, a, b], [b, b], ...values.slice(3).map((value) => [value])];
}

const arrayText = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`;

function columnType(basics: Basics): ColumnType {
  const { sql, graphql, values, compare, text = String, operators = {}, ...rest } = basics;
  const isSame = (a: Value, b: Value): boolean => (compare ? compare(a, b) === 0 : keyOf(a) === keyOf(b));
  const rule = (holds: (order: number) => boolean): OperatorRule => ({
    graphql,
    operands: values,
    holds: (value, operand: Value) => holds(compare ? compare(value, operand) : isSame(value, operand) ? 0 : 1),
    text,
  });
  const isList = graphql.startsWith("[");
  const listRule = (holds: (found: boolean) => boolean): OperatorRule => ({
    ...(!isList && { graphql: `[${graphql}!]`, text: (list: readonly Value[]) => arrayText(list.map(text)) }),
    operands: listsOf(values),
    holds: (value, list: readonly Value[]) => holds(list.some((item) => isSame(value, item))),
  });
  const ordered: Readonly<Record<string, OperatorRule>> = compare
    ? {
        _gt: rule((order) => order > 0),
        _gte: rule((order) => order >= 0),
        _lt: rule((order) => order < 0),
        _lte: rule((order) => order <= 0),
      }
    : {};
  return {
    sql,
    graphql,
    values,
    text,
    ...(compare && { compare }),
    ...rest,
    operators: {
      _eq: rule((order) => order === 0),
      _neq: rule((order) => order !== 0),
      ...ordered,
      _in: listRule((found) => found),
      _nin: listRule((found) => !found),
      ...operators,
    },
  };
}

/** Converts a LIKE pattern to a regular expression over whole texts. */
function likePattern(pattern: string, flags: string): RegExp {
  let source = "";
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i] ?? "";
    if (char === "%") source += "[^]*";
    else if (char === "_") source += "[^]";
    else source += (char === "\\" ? (pattern[++i] ?? "") : char).replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  }
  return new RegExp(`^${source}$`, `u${flags}`);
}

const likePatterns = ["%", "a%", "%A%", "_", "", "%\\%", "it_s%", "b"];

function textOperators(graphql: string): Readonly<Record<string, OperatorRule>> {
  const like = (flags: string, wanted: boolean): OperatorRule => ({
    graphql,
    operands: likePatterns,
    holds: (value, pattern: string) => likePattern(pattern, flags).test(String(value)) === wanted,
    text: String,
  });
  const regex = (flags: string, wanted: boolean): OperatorRule => ({
    graphql,
    operands: ["^a", "b$", "[A-Z]", "^$", "x|b"],
    holds: (value, pattern: string) => new RegExp(pattern, `u${flags}`).test(String(value)) === wanted,
    text: String,
  });
  return {
    _like: like("", true),
    _nlike: like("", false),
    _ilike: like("i", true),
    _nilike: like("i", false),
    _regex: regex("", true),
    _iregex: regex("i", true),
    _nregex: regex("", false),
    _niregex: regex("i", false),
  };
}

/** Implements `@>` of jsonb: arrays contain scalars and arrays; an array contains a scalar element. */
function jsonContains(whole: Value, part: Value, isTop = true): boolean {
  if (Array.isArray(whole)) {
    if (Array.isArray(part)) return part.every((item) => whole.some((other) => jsonContains(other, item, false)));
    return isTop && (part === null || typeof part !== "object") && whole.some((item) => keyOf(item) === keyOf(part));
  }
  if (whole !== null && typeof whole === "object") {
    if (part === null || typeof part !== "object" || Array.isArray(part)) return false;
    const members = whole as Readonly<Record<string, Value>>;
    return Object.entries(part).every(
      ([name, item]) => Object.hasOwn(members, name) && jsonContains(members[name] ?? null, item as Value, false),
    );
  }
  return keyOf(whole) === keyOf(part);
}

/** Implements `?` of jsonb: a key of an object, a string in an array, or the string itself. */
function hasKey(value: Value, key: string): boolean {
  if (Array.isArray(value)) return value.includes(key);
  if (value !== null && typeof value === "object") return Object.hasOwn(value, key);
  return value === key;
}

/** Implements `jsonb::text`: shorter keys first, a blank after each comma and colon. */
function jsonbText(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(jsonbText).join(", ")}]`;
  if (value !== null && typeof value === "object") {
    const members = Object.entries(value).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}: ${jsonbText(member as Value)}`).join(", ")}}`;
  }
  return JSON.stringify(value);
}

const jsonValues: readonly Value[] = [
  {},
  { a: 1 },
  { a: 1, b: [1, "x", { c: null }] },
  { b: { a: 1, bb: true } },
  [],
  [1, "a", [1]],
  "a",
  2.5,
  true,
];

const jsonOperators: Readonly<Record<string, OperatorRule>> = {
  _contains: {
    graphql: "jsonb",
    operands: [...jsonValues, 1, { b: [1] }],
    holds: (value, part: Value) => jsonContains(value, part),
    text: (part: Value) => JSON.stringify(part),
  },
  _contained_in: {
    graphql: "jsonb",
    operands: jsonValues,
    holds: (value, whole: Value) => jsonContains(whole, value),
    text: (whole: Value) => JSON.stringify(whole),
  },
  _has_key: {
    graphql: "String",
    operands: ["a", "b", ""],
    holds: (value, key: string) => hasKey(value, key),
    text: String,
  },
  _has_keys_any: {
    graphql: "[String!]",
    operands: [[], ["a"], ["b", "z"]],
    holds: (value, keys: readonly string[]) => keys.some((key) => hasKey(value, key)),
    text: arrayText,
  },
  _has_keys_all: {
    graphql: "[String!]",
    operands: [[], ["a"], ["a", "b"]],
    holds: (value, keys: readonly string[]) => keys.every((key) => hasKey(value, key)),
    text: arrayText,
  },
  ...Object.fromEntries(
    Object.entries(textOperators("String")).map(([name, rule]) => [
      `_cast.String.${name}`,
      { ...rule, holds: (value: Value, operand: never) => rule.holds(jsonbText(value), operand) },
    ]),
  ),
};

function arrayOperators(graphql: string, values: readonly Value[]): Readonly<Record<string, OperatorRule>> {
  const holdsAll = (whole: Value, part: Value): boolean =>
    (part as readonly Value[]).every((item) => (whole as readonly Value[]).includes(item));
  return {
    _contains: { graphql, operands: values, holds: (value, part: Value) => holdsAll(value, part) },
    _contained_in: { graphql, operands: values, holds: (value, whole: Value) => holdsAll(whole, value) },
  };
}

const texts = ["a", "", "b", "A%", 'it\'s "x" \\ é', "B"];
const numberLists: readonly Value[] = [[], [1], [2, 1], [1, 1, 3]];
const textLists: readonly Value[] = [[], ["a"], ["b", "a"], ['"', "{x}"]];
const moods = ["sad", "ok", "Happy"];

/** An enum type of the database for columns. */
export const moodType = `create type mood as enum (${moods.map((mood) => `'${mood}'`).join(", ")})`;

export const integer = columnType({
  sql: "integer",
  graphql: "Int",
  values: [0, 1, 2, 3, -7, 2_147_483_647],
  compare: byNumber,
  aggregates: "numeric",
});
const text = columnType({
  sql: "text",
  graphql: "String",
  values: texts,
  compare: byBytes,
  aggregates: "comparable",
  operators: textOperators("String"),
});
const uuid = columnType({
  sql: "uuid",
  graphql: "uuid",
  values: ["0", "1", "9", "a", "f"].map((digit) => `${digit}0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11`),
  compare: byBytes,
});

/** Types of keys: their values are distinguishable. */
export const keyTypes: readonly ColumnType[] = [integer, text, uuid];

const boolean = columnType({ sql: "boolean", graphql: "Boolean", values: [false, true], compare: byNumber });

/** Types that any GraphQL server has. A `uuid` is an `ID` there. */
export const serverTypes: readonly ColumnType[] = [...keyTypes, boolean];

export const columnTypes: readonly ColumnType[] = [
  integer,
  text,
  boolean,
  columnType({
    sql: "numeric(12,2)",
    graphql: "numeric",
    values: [0, 0.5, 1.25, -3.75, 1_000_000.01],
    compare: byNumber,
    aggregates: "numeric",
  }),
  columnType({
    sql: "bigint",
    graphql: "bigint",
    values: [0, 1, -1, 4_294_967_296],
    compare: byNumber,
    aggregates: "numeric",
  }),
  columnType({
    sql: "double precision",
    graphql: "float8",
    values: [0, 0.25, -1.5, 1024.125],
    compare: byNumber,
    aggregates: "numeric",
  }),
  columnType({
    sql: "timestamp",
    graphql: "timestamp",
    values: ["2020-01-02T03:04:05", "1999-12-31T23:59:59.5", "2020-02-29T00:00:00"],
    compare: byBytes,
    aggregates: "comparable",
  }),
  columnType({
    sql: "timestamptz",
    graphql: "timestamptz",
    values: ["2020-01-02T03:04:05+00:00", "2019-06-01T00:00:00+00:00", "2020-01-02T03:04:06+00:00"],
    compare: byBytes,
    aggregates: "comparable",
  }),
  columnType({
    sql: "date",
    graphql: "date",
    values: ["2020-01-02", "2019-06-01", "2020-01-03"],
    compare: byBytes,
    aggregates: "comparable",
  }),
  uuid,
  columnType({
    sql: "mood",
    graphql: "mood",
    values: moods,
    compare: (a, b) => moods.indexOf(String(a)) - moods.indexOf(String(b)),
    aggregates: "comparable",
  }),
  columnType({
    sql: "jsonb",
    graphql: "jsonb",
    values: jsonValues,
    text: (value) => JSON.stringify(value),
    operators: jsonOperators,
    paths: [[], ["a"], ["b", 2, "c"], ["b", 1], [1], ["no"]],
  }),
  columnType({
    sql: "integer[]",
    graphql: "[Int!]",
    values: numberLists,
    compare: (a, b) => byElements(a, b, byNumber),
    text: (value) => arrayText((value as readonly Value[]).map(String)),
    aggregates: "comparable",
    operators: arrayOperators("[Int!]", numberLists),
  }),
  columnType({
    sql: "text[]",
    graphql: "[String!]",
    values: textLists,
    compare: (a, b) => byElements(a, b, byBytes),
    text: (value) => arrayText(value as readonly string[]),
    operators: arrayOperators("[String!]", textLists),
  }),
];
