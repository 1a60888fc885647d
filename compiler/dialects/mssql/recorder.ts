/**
 * SQL Server: an AFTER trigger for each operation, which runs once for all rows of a statement
 * (`docs/event-triggers.md`).
 * Changes to and from NULL count, which `!=` alone would not see.
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

/** In characters; bytes are never less. */
const longestName = 128;

export function recorder(plan: RecorderPlan): EventRecorder {
  const { table, operation, onReplication } = plan;
  const schema = quote(table.schema);
  const name = recorderName(plan, longestName);
  return withHash(plan, name, (comment) => [
    [
      `create or alter trigger ${schema}.${quote(name)} on ${schema}.${quote(table.name)}`,
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

/** Events that have an order also say when they came (`runtime/jobs/events/mssql/ordered-queue.ts`). */
function insertInto({ orderingKey: key }: RecorderPlan): readonly string[] {
  const columns = "schema_name, table_name, trigger_name, payload";
  if (key === undefined) return [`  insert into engine_catalog.event_log (${columns})`];
  return [
    `  insert into engine_catalog.event_log (${columns}, ordered, ordering_key)`,
    "  output inserted.id, inserted.trigger_name, cast(hashbytes('SHA2_256', inserted.ordering_key) as binary(32))",
    "    into engine_catalog.ordered_arrivals (event_id, trigger_name, ordering_key)",
  ];
}

/** The values as JSON, in the order of the list. */
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
  // The rows of a trigger do not have them.
  if (ofType("text", "ntext", "image"))
    return `${recorded} not supported on columns of the types text, ntext and image`;
  // A dot in an alias of FOR JSON PATH makes an object in the object.
  const dotted = columns.find(({ name }) => name.includes("."));
  if (dotted) return `${recorded} not supported on columns with a dot in their name: "${dotted.name}"`;
  if (operations.includes("UPDATE") && table.primaryKey === null) {
    return "Update event triggers for MS-SQL sources are only supported on tables with primary keys";
  }
  return undefined;
}

/** What the rows before and after the change are called. */
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

/** There is none for a row that an update has given another key. */
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

/** A value as JSON can hold it. */
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

/** A changed key counts where it is watched: then the row has no old one. */
function joinsOuter({ operation, table, watched }: RecorderPlan): boolean {
  return operation === "UPDATE" && (watched === "*" || table.primaryKey.some((name) => watched.includes(name)));
}

/** EXCEPT takes two NULLs for the same value. */
function changed({ table, watched }: RecorderPlan): string {
  const values = (row: string): string =>
    columnsOf(table, watched)
      .map((column) =>
        column.type.name === "xml" ? `cast(${field(column, row)} as nvarchar(max))` : field(column, row),
      )
      .join(", ");
  return `exists (select ${values(rows.old)} except select ${values(rows.new)})`;
}
