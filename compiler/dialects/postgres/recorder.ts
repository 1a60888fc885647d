/**
 * PostgreSQL: a function and an AFTER trigger for each operation (`docs/event-triggers.md`). The function runs with the
 * rights of its owner, since who may write the table need not be able to write events; it finds nothing through the
 * session's search path, and neither does the condition of a trigger.
 */
import type { EventRecorder } from "../../../runtime/model/definitions/events/event-trigger.ts";
import { postgres } from "../../../runtime/model/dialects/postgres/dialect.ts";
import { textLiteral } from "../../../runtime/model/dialects/postgres/quote.ts";
import type { TypeRef } from "../../shape/shape.ts";
import {
  type RecordedColumn,
  type RecordedTable,
  type RecorderPlan,
  type RecordingRequest,
  recorderName,
  withHash,
} from "../recorder.ts";
import { elementaryType } from "./elementary-type.ts";
import { packing } from "./packed-events.ts";
import { changed } from "./row-change.ts";
import { jsonPart, plain, rowJson } from "./row-json.ts";

const quote = (name: string): string => postgres.quoteIdentifier(name);

/** What the server does not cut. */
const longestName = 63;

export function recorder(plan: RecorderPlan): EventRecorder {
  const { table, operation, onReplication } = plan;
  const name = recorderName(plan, longestName);
  const target = `${quote(table.schema)}.${quote(table.name)}`;
  const called = `engine_catalog.${quote(name)}()`;
  const perStatement = recordsStatements(plan);
  return withHash(plan, name, (comment) => [
    functionText(called, `${columnsFirst(plan)}${comment}`, perStatement ? statementBody(plan) : rowBody(plan)),
    `drop trigger if exists ${quote(name)} on ${target}`,
    [
      `create trigger ${quote(name)}`,
      `  after ${operation.toLowerCase()} on ${target}`,
      ...(perStatement ? [`  referencing ${operation === "INSERT" ? "new" : "old"} table as ${transition}`] : []),
      `  for each ${perStatement ? "statement" : "row"}`,
      ...(perStatement ? [] : whenClause(plan)),
      `  execute function ${called}`,
    ].join("\n"),
    ...(onReplication ? [`alter table ${target} enable always trigger ${quote(name)}`] : []),
  ]);
}

/**
 * Views have no triggers that run after a change. A composite type of others gets fields from its owner, and with them
 * casts to JSON, which would run with the rights of the recorder.
 */
export function recordingProblem({ table, operations, columns }: RecordingRequest): string | undefined {
  if (operations.length === 0) return undefined;
  if (table.kind === "view" || table.kind === "materialized_view") return "Event triggers are not supported on views";
  const foreign = columns.map(({ name, type }) => ({ name, type: elementaryType(type) }));
  const refused = foreign.find(({ type }) => type.ownedByOthers && type.category === "composite");
  return (
    refused &&
    `the composite type ${refused.type.sql} of column "${refused.name}", or a type in it, belongs to a role other than the user of the ` +
      `source, and that role could run code with the rights of this user. ` +
      `Change the owner (ALTER TYPE ${refused.type.sql} OWNER TO …), or leave the column out of the event trigger`
  );
}

/**
 * One event each for all rows of a statement, in one go: only where no statement on another table writes these rows,
 * and replication, which writes them without statements, does not count. A condition has to mean the same inside the
 * function as outside of it, where operators of extensions are found.
 */
function recordsStatements({ operation, table, onReplication, condition }: RecorderPlan): boolean {
  const isPortable = condition === undefined || (condition.types.every(isBuiltIn) && !table.columns.some(isVirtual));
  return operation !== "UPDATE" && table.standsAlone && !onReplication && isPortable;
}

/** WHEN of a trigger computes such columns, a function has to do it itself. */
const isVirtual = ({ virtual }: RecordedColumn): boolean => virtual !== undefined;

const isBuiltIn = ({ schema, category }: TypeRef): boolean => schema === "pg_catalog" && category === "base";

/** A bare literal would be read once, when the trigger is made. */
const constant = (text: string): string => `cast(${textLiteral(text)} as text)`;

/** The rows of a statement. */
const transition = "changed";

/** Columns in the expressions of others may be called as variables of triggers are. */
const columnsFirst = ({ table }: RecorderPlan): string =>
  table.columns.some(isVirtual) ? "#variable_conflict use_column\n" : "";

function functionText(called: string, comment: string, body: string): string {
  const tag = freeTag(body);
  return [
    `create or replace function ${called} returns trigger`,
    "  language plpgsql security definer set search_path = pg_catalog, pg_temp",
    `as ${tag}`,
    `${comment}begin`,
    body,
    "  return null;",
    "end",
    tag,
  ].join("\n");
}

/** A dollar quote that nothing in the text ends. */
function freeTag(text: string): string {
  let tag = "$engine$";
  for (let number = 2; text.includes(tag); number++) tag = `$engine${number}$`;
  return tag;
}

function rowBody(plan: RecorderPlan): string {
  const { operation } = plan;
  const old = operation === "INSERT" ? undefined : "old";
  const fresh = operation === "DELETE" ? undefined : "new";
  return `${insertInto(plan)}\n  values (${eventValues(plan, old, fresh)});`;
}

function statementBody(plan: RecorderPlan): string {
  const { operation, condition } = plan;
  const [old, fresh] = operation === "DELETE" ? [transition, undefined] : [undefined, transition];
  const where =
    condition === undefined ? "" : `\n  where ${condition.text({ old: transition, new: transition, constant })}`;
  const insert = `${insertInto(plan)}\n  select ${eventValues(plan, old, fresh)}\n  from ${transition}${where};`;
  return [packing(plan, { rows: transition, where, settings }), insert].filter((part) => part !== undefined).join("\n");
}

function insertInto({ orderingKey }: RecorderPlan): string {
  const ordering = orderingKey === undefined ? "" : ", ordering_key, ordering_number";
  return `  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload${ordering})`;
}

/** @param old what the row before is called, where there is one; `fresh`: the row after */
function eventValues(plan: RecorderPlan, old: string | undefined, fresh: string | undefined): string {
  const { table, trigger, operation, orderingKey } = plan;
  const names = [table.schema, table.name, trigger].map(textLiteral).join(", ");
  const row = fresh ?? old;
  const ordering =
    orderingKey &&
    columnsInOrder(table, orderingKey)
      .map((column) => keyValue(column, row ?? ""))
      .join(", ");
  return [
    `${names}, jsonb_build_object(`,
    `    'op', '${operation}',`,
    `    'data', jsonb_build_object(`,
    `      'old', ${old === undefined ? "null" : rowJson(plan, old)},`,
    `      'new', ${fresh === undefined ? "null" : rowJson(plan, fresh)}`,
    "    ),",
    `    'session_variables', ${settings.session},`,
    `    'trace_context', ${settings.trace}`,
    ordering === undefined
      ? "  )"
      : `  ), engine_catalog.ordering_key(jsonb_build_array(${ordering})), nextval('engine_catalog.event_ordering')`,
  ].join("\n");
}

const columnsInOrder = ({ columns }: RecordedTable, names: readonly string[]): readonly RecordedColumn[] =>
  names.flatMap((name) => columns.filter((column) => column.name === name));

/** Numbers are one key however many zeros they end with. */
function keyValue(column: RecordedColumn, row: string): string {
  const { schema, name } = column.type.base ?? column.type;
  return schema === "pg_catalog" && name === "numeric" ? `trim_scale(${plain(column, row)})` : jsonPart(column, row);
}

/** Settings of the engine for the transaction, or null. A scalar sub-select is evaluated once per statement. */
const settings = {
  session: "(select engine_catalog.event_setting('engine.user'))",
  trace: "(select engine_catalog.event_trace())",
};

/** Rows that fail it cost no call. */
function whenClause({ table, operation, watched, condition }: RecorderPlan): readonly string[] {
  const tests = [
    ...(operation === "UPDATE" ? [changed(table, watched)] : []),
    ...(condition === undefined ? [] : [condition.text({ old: "old", new: "new", constant })]),
  ];
  if (tests.length === 0) return [];
  const [only = ""] = tests;
  return [`  when (${tests.length === 1 ? only : tests.map((test) => `(${test})`).join("\n    and ")})`];
}
