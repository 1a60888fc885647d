/** Introspects SQL Server with a single statement, regardless of the database's size. */
import { readDefinitions } from "../../../runtime/model/dialects/mssql/definitions.ts";
import { sqlServer } from "../../../runtime/model/dialects/mssql/dialect.ts";
import { quoteIdentifier } from "../../../runtime/model/dialects/mssql/quote.ts";
import { typeNames } from "../../../runtime/model/dialects/mssql/scalars.ts";
import { EngineError, invariant } from "../../../runtime/values/errors.ts";
import { compareNames, compareText } from "../../../runtime/values/text-order.ts";
import type { QualifiedName } from "../../catalog/model.ts";
import { fillArguments } from "../../catalog/native-code.ts";
import type { NativeColumn, NativeQueryInput } from "../../shape/native-query.ts";
import type { EnumValueShape, FunctionShape, Shape, TableShape, TypeRef } from "../../shape/shape.ts";
import type { Dialect, EnumColumns, ProcedureDialect, Query } from "../dialect.ts";
import { readReviewFacts } from "./introspect/review-facts.ts";
import { type CatalogRows, type FunctionRow, type ParameterRow, readCatalogRows } from "./introspect/rows.ts";
import { catalogStatement } from "./introspect/statement.ts";
import { tableShapes } from "./introspect/tables.ts";
import { systemType, typeOfColumn } from "./introspect/types.ts";
import { recordedType } from "./json-types.ts";
import { recorder, recordingProblem } from "./recorder.ts";
import { readTableDetails } from "./table-details.ts";
import {
  inputIsImmutable,
  jsonColumnType,
  lacksEquality,
  scalarCall,
  scalarNames,
  scalarOf,
  typeNamed,
  typesWithOperator,
} from "./types.ts";

// Types and names in calls of stored procedures, which pass values in variables and collect rows in a table.

/** Replacements for types that variables or table columns cannot have, or whose default length is too short. */
const withoutLength: Readonly<Record<string, string>> = {
  char: "varchar(max)",
  varchar: "varchar(max)",
  text: "varchar(max)",
  nchar: "nvarchar(max)",
  nvarchar: "nvarchar(max)",
  ntext: "nvarchar(max)",
  binary: "varbinary(max)",
  varbinary: "varbinary(max)",
  image: "varbinary(max)",
  // A rowversion column cannot be written, but its value can be stored.
  timestamp: "binary(8)",
  // The default scale would round to integers.
  decimal: "decimal(38, 10)",
  numeric: "numeric(38, 10)",
};

/** One or two numbers, or `max`, in parentheses. */
const length = /^\((?:\s*max\s*|\s*\d{1,4}\s*(?:,\s*\d{1,2}\s*)?)\)$/;

/** Returns the declaration of a type; `undefined` unless it is a system type. */
function declaredType({ name, sql }: TypeRef): string | undefined {
  if (!typeNames.includes(name)) return undefined;
  const suffix = sql.slice(name.length).trim();
  if (suffix === "") return withoutLength[name] ?? name;
  return sql.startsWith(name) && length.test(suffix) ? `${name}${suffix}` : undefined;
}

/** A parameter name after `@`: a regular identifier of at most 128 characters, including the `@`. */
const argumentName = /^[\p{L}_][\p{L}\p{Nd}@$#_]{0,126}$/u;

const procedures: ProcedureDialect = {
  declaredType,
  isArgumentName: (name) => argumentName.test(name),
};

// Enum tables: value and comment columns, and the rows.

const texts: ReadonlySet<string> = new Set(["char", "varchar", "nchar", "nvarchar"]);

/**
 * Returns the primary key column if it is a single text column, with the comment column if the only other column is
 * text.
 */
function enumColumns(table: TableShape): EnumColumns | undefined {
  const key = table.primaryKey?.columns;
  if (key === undefined || key.length !== 1) return undefined;
  const value = table.columns.find((column) => column.name === key[0]);
  if (value === undefined || !texts.has(value.type.name)) return undefined;
  const [comment, ...more] = table.columns.filter((column) => column !== value);
  const hasComment = comment !== undefined && more.length === 0 && texts.has(comment.type.name);
  return { value: value.name, comment: hasComment ? comment.name : null };
}

/** Reads the values and their comments, ordered by value. Rejects with the error of `query`. */
async function readEnumValues(
  query: Query,
  table: QualifiedName,
  columns: EnumColumns,
): Promise<readonly EnumValueShape[]> {
  const comment = columns.comment === null ? "null" : quoteIdentifier(columns.comment);
  const from = `${quoteIdentifier(table.schema)}.${quoteIdentifier(table.name)}`;
  const rows = await query(`select ${quoteIdentifier(columns.value)} as [value], ${comment} as [comment] from ${from}`);
  return rows
    .map(([value, text]) => {
      invariant(typeof value === "string", "a primary key is NULL");
      return { value, comment: text ?? null };
    })
    .sort((left, right) => compareText(left.value, right.value));
}

export const mssql: Dialect = {
  kind: "mssql",
  defaultSchema: "dbo",
  hasReplicas: false,
  hasGraphqlNaming: false,
  introspect: introspectMssql,
  readTableDetails,
  readDefinitions,
  readReviewFacts,
  namedIndexes: true,
  enumColumns,
  readEnumValues,
  checkNativeQuery,
  functions: {
    rowTypes: false,
    takesSession: ({ name, sql }) => name === "nvarchar" && sql === "nvarchar(max)",
    sessionType: "nvarchar(max)",
    callerRights: "EXECUTE AS CALLER",
  },
  documentType: "nvarchar(max)",
  jsonColumnType,
  memberType: (type) => procedures.declaredType(type) ?? "nvarchar(max)",
  procedures,
  runtime: { name: "sqlServer", dialect: sqlServer },
  lacksEquality,
  scalarCall,
  scalarOf,
  scalarNames,
  typeNamed,
  inputIsImmutable,
  quoted: /'[^']*(?:''[^']*)*'|"[^"]*(?:""[^"]*)*"|\[[^\]]*(?:\]\][^\]]*)*\]/y,
  typesWithOperator,
  recordingProblem,
  recorder,
  keepsOldRow: false,
  recordedType,
};

/**
 * Reads all tables, views and functions outside system schemas and `engine_catalog`. Rejects with the error of `query`.
 */
export async function introspectMssql(query: Query): Promise<Shape> {
  const rows = readCatalogRows(await query(catalogStatement));
  return {
    format: 1,
    kind: "mssql",
    serverVersion: rows.version,
    tables: tableShapes(rows),
    functions: functionShapes(rows),
    types: [],
  };
}

// Validates native queries without executing them: `sys.dm_exec_describe_first_result_set` parses and binds a batch,
// and returns its columns or an error.

/**
 * Returns the types of the model's columns in the result of the query.
 * @throws EngineError `bad-request` with the server's message if it refuses the query; errors of `query`
 */
async function checkNativeQuery(query: Query, input: NativeQueryInput): Promise<ReadonlyMap<string, NativeColumn>> {
  const found = await describeDerived(query, withoutPlaceholders(input));
  const columns = new Map<string, NativeColumn>();
  for (const [name, type] of Object.entries(input.columns)) {
    const given = found.get(name);
    if (given === undefined) continue;
    const [named] = await describe(query, `select cast(null as ${type}) as c`)
      .then((described) => [...described.values()])
      .catch((error: unknown) => {
        if (error instanceof EngineError && error.status < 500) return [];
        throw error;
      });
    columns.set(name, { type: baseName(given), expected: named === undefined ? null : baseName(named) });
  }
  return columns;
}

/** Replaces each placeholder by a NULL of the argument's type. */
function withoutPlaceholders({ code, arguments: types }: NativeQueryInput): string {
  return fillArguments(code, (name) => `cast(null as ${types[name] ?? "nvarchar(max)"})`);
}

/**
 * Returns the types of a native query's columns by name. Native queries run as derived tables, in which SQL Server
 * refuses more than in a batch.
 */
async function describeDerived(query: Query, code: string): Promise<ReadonlyMap<string, string>> {
  try {
    return await describe(query, `select given.* from (${code}\n) given`);
  } catch (error) {
    if (!(error instanceof EngineError) || error.status >= 500) throw error;
    await describe(query, code);
    const message = `${error.message} The query runs as a derived table: use subqueries instead of WITH, add TOP or OFFSET to ORDER BY, and give each column its own name.`;
    throw new EngineError(error.code, error.path, message, { cause: error });
  }
}

/** Returns the types of a batch's result columns by name. */
async function describe(query: Query, batch: string): Promise<ReadonlyMap<string, string>> {
  const text = `N'${batch.replaceAll("'", "''")}'`;
  const rows = await query(
    `select name, system_type_name, error_message from sys.dm_exec_describe_first_result_set(${text}, null, 0)`,
  );
  const refusal = rows.find(([, , message]) => message !== null && message !== undefined);
  if (refusal) throw new EngineError("bad-request", "$", String(refusal[2]));
  return new Map(rows.flatMap(([name, type]) => (name && type ? [[name, type] as const] : [])));
}

/** Removes length and precision, which a model need not repeat. */
function baseName(type: string): string {
  return type.replace(/\(.*\)$/, "");
}

// Converts catalogue rows to functions of a shape, sorted.

/** Return type of table-valued functions. */
const tableType: TypeRef = { ...systemType("table"), category: "composite" };

function functionShapes({ functions, parameters, returnedColumns }: CatalogRows): readonly FunctionShape[] {
  return functions
    .map((row) => {
      const own = parameters.filter((parameter) => parameter.function === row.id);
      const columns = returnedColumns.filter((column) => column.function === row.id);
      return functionShape(
        row,
        own,
        columns.map((column) => ({ name: column.name, type: typeOf(column) })),
      );
    })
    .sort(compareNames);
}

/**
 * Builds a function. SQL Server functions cannot write. Any argument may have a default, which the catalogue does not
 * show.
 */
function functionShape(
  { id, schema, name, kind, comment }: FunctionRow,
  parameters: readonly ParameterRow[],
  columns: NonNullable<FunctionShape["columns"]>,
): FunctionShape {
  const result = parameters.find(({ position }) => position === 0);
  return {
    schema,
    name,
    id,
    comment,
    volatility: "stable",
    strict: false,
    variadic: false,
    returnsSet: kind !== "FN",
    returns: kind === "FN" && result ? typeOf(result) : tableType,
    returnsTable: null,
    ...(kind === "FN" ? {} : { columns }),
    arguments: parameters
      .filter(({ position }) => position > 0)
      .map((parameter) => ({
        name: parameter.name.replace(/^@/, ""),
        type: parameter.isTable ? { ...systemType(parameter.type), category: "pseudo" } : typeOf(parameter),
        hasDefault: true,
        table: null,
      })),
  };
}

const typeOf = (row: Omit<Parameters<typeof typeOfColumn>[0], "collation">): TypeRef =>
  typeOfColumn({ ...row, collation: null });
