/**
 * Records events in SQL Server: an AFTER trigger for each operation, which runs once for all rows of a statement
 * (`docs/how-to/event-triggers.md`). Changes from and to NULL are detected, which `!=` alone would miss.
 */
import type { EventRecorder } from "../../../runtime/model/definitions/events/event-trigger.ts";
import { render, type Sql, verbatim } from "../../../runtime/model/definitions/sql.ts";
import { sqlServer } from "../../../runtime/model/dialects/mssql/dialect.ts";
import { quoteIdentifier as quote, textLiteral } from "../../../runtime/model/dialects/mssql/quote.ts";
import {
  columnsOf,
  type RecordedColumn,
  type RecorderPlan,
  type RecordingRequest,
  recorderName,
  withHash,
} from "../recorder.ts";
import { scalarCall, scalarOf } from "./types.ts";

/** SQL Server's limit in characters. It is applied to bytes, which are at least as many. */
const maxNameLength = 128;

export function recorder(plan: RecorderPlan): EventRecorder {
  const { table, operation, onReplication } = plan;
  const schema = quote(table.schema);
  const name = recorderName(plan, maxNameLength);
  return withHash(plan, name, (comment) => [
    [
      `create or alter trigger ${schema}.${quote(name)} on ${schema}.${quote(table.name)}`,
      // As the engine's user, who owns the event log. Users who write to the table may have no right to it.
      "with execute as self",
      `after ${operation.toLowerCase()}${onReplication ? "" : " not for replication"} as`,
      `${comment}begin`,
      "  set nocount on;",
      ...insertInto(plan),
      `  select ${[table.schema, table.name, plan.trigger].map(textLiteral).join(", ")}, (`,
      payload(plan),
      ...(plan.orderingKey === undefined ? ["  )"] : [`  ), 1, (${orderingKey(plan, plan.orderingKey)})`]),
      `${source(plan)};`,
      "end",
    ].join("\n"),
  ]);
}

/**
 * Returns the INSERT clause, which also records the arrival of ordered events
 * (`runtime/jobs/events/mssql/ordered-queue.ts`).
 */
function insertInto({ orderingKey: key }: RecorderPlan): readonly string[] {
  const columns = "schema_name, table_name, trigger_name, payload";
  if (key === undefined) return [`  insert into engine_catalog.event_log (${columns})`];
  return [
    `  insert into engine_catalog.event_log (${columns}, ordered, ordering_key)`,
    "  output inserted.id, inserted.trigger_name, cast(hashbytes('SHA2_256', inserted.ordering_key) as binary(32))",
    "    into engine_catalog.ordered_arrivals (event_id, trigger_name, ordering_key)",
  ];
}

/** Returns the key values as JSON, in the order of the list. */
function orderingKey({ table, operation }: RecorderPlan, names: readonly string[]): string {
  const row = operation === "DELETE" ? rows.old : rows.new;
  const columns = names.flatMap((name) => table.columns.filter((column) => column.name === name));
  const values = columns.map((column, index) => `${printed(column, row)} as [${index + 1}]`);
  return `select ${values.join(", ")} ${json}`;
}

const recorded = "Event triggers for MS-SQL sources are";

export function recordingProblem({ table, operations, columns }: RecordingRequest): string | undefined {
  if (operations.length === 0) return undefined;
  const ofType = (...types: readonly string[]) => columns.some(({ type }) => types.includes(type.name));
  if (table.kind !== "table") return `${recorded} not supported on views`;
  if (ofType("geometry", "geography")) {
    return `${recorded} not supported on tables having Geometry or Geography column types`;
  }
  // The `inserted` and `deleted` tables lack such columns.
  if (ofType("text", "ntext", "image"))
    return `${recorded} not supported on columns of the types text, ntext and image`;
  // FOR JSON PATH creates a nested object for a dot in an alias.
  const dotted = columns.find(({ name }) => name.includes("."));
  if (dotted) return `${recorded} not supported on columns with a dot in their name: "${dotted.name}"`;
  if (operations.includes("UPDATE") && table.primaryKey === null) {
    return "Update event triggers for MS-SQL sources are only supported on tables with primary keys";
  }
  return undefined;
}

/** Aliases of the rows before and after the change. */
const rows = {
  old: "old_row",
  new: "new_row",
  constant: (text: string) => `cast(${textLiteral(text)} as nvarchar(max))`,
} as const;

const json = "for json path, include_null_values, without_array_wrapper";

function payload(plan: RecorderPlan): string {
  const { operation } = plan;
  return [
    `    select N'${operation}' as [op],`,
    `      ${operation === "INSERT" ? "null" : oldJson(plan)} as [data.old],`,
    `      ${operation === "DELETE" ? "null" : `json_query((${rowJson(plan, rows.new)}))`} as [data.new]`,
    `    ${json}`,
  ].join("\n");
}

/** Returns the old row; null if an update changed the key of the row. */
function oldJson(plan: RecorderPlan): string {
  const row = rowJson(plan, rows.old);
  const [key] = plan.table.primaryKey;
  const isMissing = `${rows.old}.${quote(key ?? "")} is null`;
  return joinsOuter(plan) ? `json_query(case when ${isMissing} then null else (${row}) end)` : `json_query((${row}))`;
}

function rowJson({ table, payload: delivered }: RecorderPlan, row: string): string {
  const columns = columnsOf(table, delivered).map((column) => {
    return `\n          ${printed(column, row)} as ${quote(column.name)}`;
  });
  return `select${columns.join(",")}\n        ${json}`;
}

/** Returns a value in a form that JSON can represent. */
function printed(column: RecordedColumn, row: string): string {
  const value = field(column, row);
  const { output } = scalarOf(scalarCall(column.type));
  return output === undefined ? value : textOf(output(verbatim(value), { stringifyNumbers: false }));
}

const textOf = (fragment: Sql): string => render(fragment, sqlServer).text;

const field = ({ name }: Pick<RecordedColumn, "name">, row: string): string => `${row}.${quote(name)}`;

function source(plan: RecorderPlan): string {
  const { operation, table, condition } = plan;
  const tests = [
    ...(operation === "UPDATE" ? [changed(plan)] : []),
    ...(condition === undefined ? [] : [condition.text(rows)]),
  ];
  const [only = ""] = tests;
  const where =
    tests.length === 0
      ? ""
      : `\n  where ${tests.length === 1 ? only : tests.map((test) => `(${test})`).join("\n    and ")}`;
  if (operation === "INSERT") return `  from inserted as ${rows.new}${where}`;
  if (operation === "DELETE") return `  from deleted as ${rows.old}${where}`;
  const key = table.primaryKey.map((name) => `${field({ name }, rows.old)} = ${field({ name }, rows.new)}`);
  const join = joinsOuter(plan) ? "left join" : "inner join";
  return `  from inserted as ${rows.new}\n    ${join} deleted as ${rows.old} on ${key.join(" and ")}${where}`;
}

/**
 * Returns true if the key is watched, which requires an outer join: a changed key counts as a change, and its row has
 * no old version.
 */
function joinsOuter({ operation, table, watched }: RecorderPlan): boolean {
  return operation === "UPDATE" && (watched === "*" || table.primaryKey.some((name) => watched.includes(name)));
}

const texts: ReadonlySet<string> = new Set(["char", "varchar", "nchar", "nvarchar", "sysname"]);

/** Types without `=`, which a conversion to text makes comparable. */
const incomparable: ReadonlySet<string> = new Set(["xml", "vector", "json"]);

/**
 * Returns a value that equals another only if the two are identical: collations may ignore case and accents, and `=`
 * ignores trailing blanks.
 */
function compared(column: RecordedColumn, row: string): string {
  const value = field(column, row);
  if (texts.has(column.type.name)) return `convert(varbinary(max), ${value})`;
  if (incomparable.has(column.type.name)) return `convert(varbinary(max), convert(nvarchar(max), ${value}))`;
  return value;
}

/** Returns a condition that compares with EXCEPT, for which two NULLs are equal. */
function changed({ table, watched }: RecorderPlan): string {
  const values = (row: string): string =>
    columnsOf(table, watched)
      .map((column) => compared(column, row))
      .join(", ");
  return `exists (select ${values(rows.old)} except select ${values(rows.new)})`;
}
