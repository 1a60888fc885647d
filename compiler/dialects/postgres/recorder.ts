/**
 * Records events in PostgreSQL: a function and an AFTER trigger for each operation (`docs/how-to/event-triggers.md`). The
 * function runs with the rights of its owner, because roles that write the table need not have access to the event
 * table. Neither the function nor the trigger's condition uses the session's search path.
 */
import type { EventRecorder } from "../../../runtime/model/definitions/events/event-trigger.ts";
import { postgres } from "../../../runtime/model/dialects/postgres/dialect.ts";
import { textLiteral } from "../../../runtime/model/dialects/postgres/quote.ts";
import type { TypeRef } from "../../shape/shape.ts";
import {
  columnsOf,
  type RecordedColumn,
  type RecordedTable,
  type RecorderPlan,
  type RecordingRequest,
  recorderName,
  withHash,
} from "../recorder.ts";
import { packing } from "./packed-events.ts";
import { elementaryType, jsonPart, plain, rowJson } from "./row-json.ts";

const quote = (name: string): string => postgres.quoteIdentifier(name);

/** Longer names are truncated by the server. */
const maxNameLength = 63;

export function recorder(plan: RecorderPlan): EventRecorder {
  const { table, operation, onReplication } = plan;
  const name = recorderName(plan, maxNameLength);
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
 * Returns the reason why events cannot be recorded. Views have no AFTER triggers for rows. The owner of a composite
 * type can add fields, and casts of these to JSON, which would run with the rights of the recorder.
 */
export function recordingProblem({ table, operations, columns }: RecordingRequest): string | undefined {
  if (operations.length === 0) return undefined;
  if (table.kind === "view" || table.kind === "materialized_view") return "Event triggers are not supported on views";
  if (table.distribution) {
    const kind = table.distribution.kind === "reference" ? "reference tables" : "distributed tables";
    return `Event triggers are not supported on ${kind} of Citus, which has no triggers on them: write the events in the application, or to a local table`;
  }
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
 * Returns true if one statement-level trigger can record all rows. This requires that no statement on another table
 * writes these rows, and that replicated rows, which are written without statements, are not recorded. The condition
 * must have the same meaning inside the function, which cannot find operators of extensions.
 */
function recordsStatements({ operation, table, onReplication, condition }: RecorderPlan): boolean {
  const isPortable = condition === undefined || (condition.types.every(isBuiltIn) && !table.columns.some(isVirtual));
  return operation !== "UPDATE" && table.standsAlone && !onReplication && isPortable;
}

/**
 * Returns true for a virtual column, which a trigger function must compute itself; in a WHEN clause the server computes
 * it.
 */
const isVirtual = ({ virtual }: RecordedColumn): boolean => virtual !== undefined;

const isBuiltIn = ({ schema, category }: TypeRef): boolean => schema === "pg_catalog" && category === "base";

/** Returns a cast constant. A bare literal would be evaluated once, when the trigger is created. */
const constant = (text: string): string => `cast(${textLiteral(text)} as text)`;

/** Name of the transition table. */
const transition = "changed";

/** Columns in expressions of generated columns may have the names of trigger variables. */
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

/** Returns a dollar-quote tag that does not occur in the text. */
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

/**
 * @param old alias of the old row, if there is one
 * @param fresh alias of the new row, if there is one
 */
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

/** Returns a value of the ordering key. Removes trailing zeros of numbers, so that equal numbers have equal keys. */
function keyValue(column: RecordedColumn, row: string): string {
  const { schema, name } = column.type.base ?? column.type;
  return schema === "pg_catalog" && name === "numeric" ? `trim_scale(${plain(column, row)})` : jsonPart(column, row);
}

/** Settings of the engine for the transaction, or null. A scalar sub-select is evaluated once per statement. */
const settings = {
  session: "(select engine_catalog.event_setting('engine.user'))",
  trace: "(select engine_catalog.event_trace())",
};

/** Returns the WHEN clause: rows that fail it do not call the function. */
function whenClause({ table, operation, watched, condition }: RecorderPlan): readonly string[] {
  const tests = [
    ...(operation === "UPDATE" ? [changed(table, watched)] : []),
    ...(condition === undefined ? [] : [condition.text({ old: "old", new: "new", constant })]),
  ];
  if (tests.length === 0) return [];
  const [only = ""] = tests;
  return [`  when (${tests.length === 1 ? only : tests.map((test) => `(${test})`).join("\n    and ")})`];
}

// Detects whether an update changed a row. Values are compared bytewise, which works for every type. Types whose equal
// values can differ in their bytes, such as `1.0` and `1.00`, are compared with the equality of their default operator
// class, which only superusers can define. `is distinct from` would instead find the operator `=` by name in the search
// path, where any role may define one for the row type of a table or for a domain.

/**
 * Returns a condition on `old` and `new`. Where possible it compares whole rows, so that the trigger does not depend on
 * individual columns.
 */
function changed(table: RecordedTable, watched: "*" | readonly string[]): string {
  // A virtual generated column changes only with the columns of its expression.
  const columns = columnsOf(table, watched).filter(({ virtual }) => watched !== "*" || virtual === undefined);
  const inexact = columns.filter(({ type }) => isInexact(type));
  if (watched === "*" && !table.partitioned && columns.length === table.columns.length) {
    if (inexact.length === 0) return "old.* operator(pg_catalog.*<>) new.*";
    if (columns.every(({ type }) => hasEquality(type))) return `old.* ${rowEquality} new.*`;
  }
  const exact = columns.filter((column) => !inexact.includes(column));
  const tests = [
    ...(exact.length === 0 ? [] : [`${row("old", exact)} operator(pg_catalog.*<>) ${row("new", exact)}`]),
    ...(inexact.length === 0 ? [] : [`${row("old", inexact)} ${rowEquality} ${row("new", inexact)}`]),
  ];
  return tests.join("\n    or ");
}

/** Null equals null, as with `is distinct from`. */
const rowEquality = "operator(pg_catalog.<>)";

const field = (of: string, { name }: RecordedColumn): string => `${of}.${postgres.quoteIdentifier(name)}`;

const row = (of: string, columns: readonly RecordedColumn[]): string =>
  `row(${columns.map((column) => field(of, column)).join(", ")})::record`;

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const inexactTypes = words("numeric float4 float8 interval timetz bpchar citext jsonb numrange nummultirange");

function isInexact(type: TypeRef): boolean {
  const { schema, name } = elementaryType(type);
  return inexactTypes.has(name) && (schema === "pg_catalog" || name === "citext");
}

const typesWithEquality = words(
  "bool bytea char name int2 int4 int8 float4 float8 numeric money text varchar bpchar citext uuid oid jsonb " +
    "date time timetz timestamp timestamptz interval inet cidr macaddr macaddr8 bit varbit tsvector " +
    "int4range int8range numrange daterange tsrange tstzrange",
);

function hasEquality(type: TypeRef): boolean {
  const { schema, name, category } = elementaryType(type);
  if (schema !== "pg_catalog") return category === "enum" || name === "citext";
  return typesWithEquality.has(name);
}
