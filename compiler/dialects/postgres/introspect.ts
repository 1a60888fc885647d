/**
 * Introspects PostgreSQL 10 to 18 with two statements, regardless of the database's size. Works for a role without
 * privileges, on a standby, and with any `search_path`.
 */
import { readDefinitions } from "../../../runtime/model/dialects/postgres/definitions.ts";
import { postgres as runtimeDialect } from "../../../runtime/model/dialects/postgres/dialect.ts";
import { operatorsOf } from "../../../runtime/model/dialects/postgres/operators.ts";
import { quoteIdentifier } from "../../../runtime/model/dialects/postgres/quote.ts";
import { pg, pgTypes } from "../../../runtime/model/dialects/postgres/scalars.ts";
import { invariant } from "../../../runtime/values/errors.ts";
import { compareText } from "../../../runtime/values/text-order.ts";
import type { QualifiedName } from "../../catalog/model.ts";
import type { EnumValueShape, Shape, TableShape, TypeRef } from "../../shape/shape.ts";
import type { ConstraintDetails, IndexDetails, TableDetails } from "../../shape/table-details.ts";
import type { Dialect, EnumColumns, Query } from "../dialect.ts";
import { checkNativeQuery } from "./check-native-query.ts";
import { indexPlans } from "./index-plans.ts";
import { readFingerprint } from "./introspect/fingerprint.ts";
import { functionShapes, placedFunctions } from "./introspect/functions.ts";
import { readReviewFacts } from "./introspect/review-facts.ts";
import {
  addDistributions,
  addExpressionTexts,
  addIndexTexts,
  type CatalogAnswer,
  readCatalogRows,
} from "./introspect/rows.ts";
import {
  catalogStatement,
  citusFunctionsStatement,
  distributionStatement,
  emptySearchPath,
  expressionTextsStatement,
  indexTextsStatement,
  searchPathStatement,
  serverStatement,
} from "./introspect/statement.ts";
import { tableShapes } from "./introspect/tables.ts";
import { builtInName, TypeDictionary } from "./introspect/types.ts";
import { recordedType } from "./json-types.ts";
import { recorder, recordingProblem } from "./recorder.ts";
import { inputIsImmutable, lacksEquality, scalarCall, scalarOf } from "./types.ts";

// Types that the metadata names without a column: GraphQL scalars in custom types of actions, and SQL types in native
// queries.

/** Built-in types by catalogue name, without types used only by system tables. */
const builtInTypes: ReadonlySet<string> = new Set(
  Object.entries(pgTypes).flatMap(([name, { origin }]) => (origin === undefined ? [name] : [])),
);

/** Synonyms of built-in types in SQL. */
const catalogueNames: ReadonlyMap<string, string> = new Map(
  Object.entries(pgTypes).flatMap(([name, { standard, aliases = [] }]) => {
    const names = standard === undefined ? aliases : [standard, ...aliases];
    return names.map((each) => [each, name] as const);
  }),
);

function builtIn(name: string): TypeRef {
  return { schema: "pg_catalog", name, sql: builtInName(name), category: "base" };
}

/** Yields the scalars of all built-in types and of the types of columns, arguments and results. */
export function* scalarNames(shape: Shape): Generator<string> {
  for (const name of builtInTypes) yield scalarOf(scalarCall(builtIn(name))).graphql;
  for (const type of typesOf(shape)) yield scalarOf(scalarCall(type)).graphql;
}

/** Returns the distinct types of a shape. */
function typesOf({ tables, functions }: Shape): Iterable<TypeRef> {
  const types = new Map<string, TypeRef>();
  const add = (type: TypeRef) => {
    if (type.category !== "pseudo") types.set(type.sql, type);
  };
  for (const { columns } of tables) for (const { type } of columns) add(type);
  for (const each of functions) {
    if (each.returnsTable === null) add(each.returns);
    for (const argument of each.arguments) if (argument.table === null) add(argument.type);
  }
  return types.values();
}

/** Returns the type with this name, which may be qualified, may be an array, and is case-insensitive. */
export function typeNamed(shape: Shape, name: string): TypeRef {
  const text = name.trim();
  if (text.endsWith("[]")) {
    const element = typeNamed(shape, text.slice(0, -2));
    return { schema: element.schema, name: `_${element.name}`, sql: `${element.sql}[]`, category: "base", element };
  }
  const plain = text.toLowerCase();
  const known = catalogueNames.get(plain) ?? plain;
  if (builtInTypes.has(known)) return builtIn(known);
  for (const type of typesOf(shape)) if (type.sql === text || type.name === text) return type;
  return { schema: "public", name: text, sql: text, category: "base" };
}

// Reads indexes, constraints, the view query, statistics and enum values of one relation, in one statement that reads only `pg_catalog`.

const constraintTypes: Readonly<Record<string, ConstraintDetails["type"]>> = { c: "check", x: "exclusion" };

/**
 * Prints definitions through the server, unlike introspection: they are only for display, so the `search_path` does not
 * matter.
 */
function tableDetailsStatement(oid: number): string {
  invariant(Number.isSafeInteger(oid), "an oid is a number");
  return `SELECT 'index', i.relname::text, pg_catalog.pg_get_indexdef(x.indexrelid), x.indisunique::text, x.indisprimary::text
FROM pg_catalog.pg_index x JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
WHERE x.indrelid = ${oid}
UNION ALL
SELECT 'constraint', k.conname::text, pg_catalog.pg_get_constraintdef(k.oid, true), k.contype::text, NULL
FROM pg_catalog.pg_constraint k
WHERE k.conrelid = ${oid} AND k.contype IN ('c', 'x')
UNION ALL
SELECT 'view', NULL, pg_catalog.pg_get_viewdef(c.oid, true), NULL, NULL
FROM pg_catalog.pg_class c
WHERE c.oid = ${oid} AND c.relkind IN ('v', 'm')
UNION ALL
SELECT 'rows', NULL, c.reltuples::bigint::text, NULL, NULL
FROM pg_catalog.pg_class c
WHERE c.oid = ${oid} AND c.relkind IN ('r', 'm', 'p', 'f') AND c.reltuples >= 0
UNION ALL
SELECT 'enum', a.attname::text, pg_catalog.json_agg(e.enumlabel ORDER BY e.enumsortorder)::text, NULL, NULL
FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
JOIN pg_catalog.pg_enum e ON e.enumtypid = CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.oid END
WHERE a.attrelid = ${oid} AND a.attnum > 0 AND NOT a.attisdropped
GROUP BY a.attname
ORDER BY 1, 2`;
}

async function readTableDetails(query: Query, { id }: TableShape): Promise<TableDetails> {
  const indexes: IndexDetails[] = [];
  const constraints: ConstraintDetails[] = [];
  const enumValues: Record<string, readonly string[]> = Object.create(null);
  let viewDefinition: string | null = null;
  let estimatedRows: number | null = null;
  for (const [section, name, definition, first, second] of await query(tableDetailsStatement(id))) {
    // The index, constraint or view was dropped after the statement began.
    if (typeof definition !== "string") continue;
    if (section === "view") viewDefinition = definition;
    else if (section === "rows") estimatedRows = Number(definition);
    else if (section === "enum") enumValues[name ?? ""] = JSON.parse(definition);
    else if (section === "index") {
      indexes.push({ name: name ?? "", unique: first === "true", primary: second === "true", definition });
    } else {
      constraints.push({ name: name ?? "", type: constraintTypes[first ?? ""] ?? "check", definition });
    }
  }
  return { indexes, constraints, viewDefinition, estimatedRows, enumValues };
}

// Types that support an operator, for messages about an unsupported operator.

const operatorNames = (type: string): readonly string[] => operatorsOf(pg(type)).map(({ name }) => name);

/** Operators of types without specific operators. */
const common: ReadonlySet<string> = new Set(operatorNames("uuid"));

/** Types with specific operators. */
const specialTypes = Object.keys(pgTypes)
  .filter((type) => operatorNames(type).some((name) => !common.has(name)))
  .sort();

/** Returns the names of types whose columns support an operator; empty for an unknown operator. */
const typesWithOperator = (operator: string): readonly string[] =>
  specialTypes.filter((type) => operatorNames(type).includes(operator));

export const postgres: Dialect = {
  kind: "postgres",
  defaultSchema: "public",
  hasReplicas: true,
  hasGraphqlNaming: true,
  introspect: introspectPostgres,
  fingerprint: readFingerprint,
  readTableDetails,
  readDefinitions,
  readReviewFacts,
  indexPlans,
  namedIndexes: false,
  enumColumns,
  readEnumValues,
  checkNativeQuery,
  functions: {
    rowTypes: true,
    takesSession: (type) => scalarOf(scalarCall(type)).json,
    sessionType: "json",
    callerRights: "SECURITY INVOKER",
  },
  documentType: "jsonb",
  memberType: ({ sql }) => sql,
  runtime: { name: "postgres", dialect: runtimeDialect },
  lacksEquality,
  scalarCall,
  scalarOf,
  scalarNames,
  typeNamed,
  inputIsImmutable,
  quoted: /[eE]'[^'\\]*(?:(?:''|\\[\s\S])[^'\\]*)*'|'[^']*(?:''[^']*)*'|"[^"]*(?:""[^"]*)*"/y,
  typesWithOperator,
  recordingProblem,
  recorder,
  keepsOldRow: true,
  recordedType,
};

/**
 * Reads all tables, views and functions outside system schemas and `engine_catalog`, with the types they use. Leaves
 * out functions of extensions, but not their tables. Rejects with the error of `query`.
 */
export async function introspectPostgres(query: Query, known?: Shape): Promise<Shape> {
  const server = (await query(serverStatement))[0];
  const [number, version, citus] = server ?? [];
  invariant(typeof number === "string" && typeof version === "string", "the server answered no version");
  const rows = readCatalogRows(await query(catalogStatement(Number(number))));
  if (citus) addDistributions(rows, await query(distributionStatement));
  if (rows.partial.length + rows.virtual.length > 0) await addTexts(query, Number(number), rows);
  const types = new TypeDictionary(rows);
  const tables = tableShapes(rows, types, known?.tables ?? []);
  const placed = citus ? placedFunctions(await query(citusFunctionsStatement)) : undefined;
  const functions = functionShapes(rows.function, types, placed);
  return {
    format: 1,
    kind: "postgres",
    // Distributions append their name: `15.18 (Debian …)`.
    serverVersion: version.split(" ")[0] ?? version,
    tables,
    functions,
    types: types.shapes(),
    ...(rows.converted.length > 0 && { converted: rows.converted.map(([type]) => type).sort() }),
    ...(citus && { citus: { version: citus } }),
  };
}

/** Reads SQL texts printed by the server. An empty search path makes the server qualify names in them. */
async function addTexts(query: Query, version: number, rows: CatalogAnswer): Promise<void> {
  const [path] = (await query(emptySearchPath))[0] ?? [];
  invariant(typeof path === "string", "the server answered no search path");
  const [indexes, expressions] = [rows.partial, rows.virtual].map((list) => list.map(([oid]) => oid));
  if (indexes?.length) addIndexTexts(rows, await query(indexTextsStatement(version, indexes)));
  if (expressions?.length) addExpressionTexts(rows, await query(expressionTextsStatement(expressions)));
  await query(searchPathStatement(path));
}

// Enum tables: value and comment columns, and the rows.

/**
 * Returns the primary key column if it is a single column of type `text`, with the comment column if the only other
 * column is `text`. Analysis reports other problems. Without such a key the rows are not read, so that a large table
 * marked as an enum by mistake does no harm.
 */
export function enumColumns(table: TableShape): EnumColumns | undefined {
  const key = table.primaryKey?.columns;
  if (key === undefined || key.length !== 1) return undefined;
  const value = table.columns.find((column) => column.name === key[0]);
  if (value === undefined || !isText(value)) return undefined;
  const [comment, ...more] = table.columns.filter((column) => column !== value);
  const hasComment = comment !== undefined && more.length === 0 && isText(comment);
  return { value: value.name, comment: hasComment ? comment.name : null };
}

function isText({ type }: TableShape["columns"][number]): boolean {
  return type.schema === "pg_catalog" && type.name === "text";
}

/** Reads the values and their comments, ordered by value. Rejects with the error of `query`. */
export async function readEnumValues(
  query: Query,
  table: QualifiedName,
  columns: EnumColumns,
): Promise<readonly EnumValueShape[]> {
  const comment = columns.comment === null ? "NULL" : quoteIdentifier(columns.comment);
  const rows = await query(
    `SELECT ${quoteIdentifier(columns.value)}, ${comment} FROM ${quoteIdentifier(table.schema)}.${quoteIdentifier(table.name)}`,
  );
  return rows
    .map(([value, text]) => {
      invariant(typeof value === "string", "a primary key is NULL");
      return { value, comment: text ?? null };
    })
    .sort((left, right) => compareText(left.value, right.value));
}
