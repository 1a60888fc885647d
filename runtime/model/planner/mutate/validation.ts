/**
 * Plans calls of input-validation webhooks: the arguments of a mutation field, and rows of nested inserts for the
 * webhook of their own table.
 */

import type { InputValidation } from "../../definitions/input-validation.ts";
import type { BindInput } from "../../definitions/parameters.ts";
import { sourceValue } from "../../definitions/parameters.ts";
import type { TableView } from "../../definitions/view.ts";
import { type Input, type InputRun, isOfOtherRows, type ObjectInput } from "../request/input.ts";
import { connectedOf } from "./connected.ts";
import { changesRows, conflictArgument, memberOf, updatedColumns } from "./on-conflict.ts";

type Variables = BindInput["variables"];

/** One call of a webhook. */
export interface PlannedValidation {
  readonly webhook: InputValidation;
  /** The JSON values of `data.input`. */
  readonly input: (variables: Variables) => readonly unknown[];
}

/** Validates the arguments of updates or deletes: one object for each statement. */
export function argumentsValidation(
  webhook: InputValidation | undefined,
  args: readonly ReadonlyMap<string, Input>[],
): readonly PlannedValidation[] {
  if (webhook === undefined || args.length === 0) return [];
  return [{ webhook, input: (variables) => args.map((each) => membersJson([...each], variables)) }];
}

/** Validates arguments that are already JSON. */
export function givenValidation(
  webhook: InputValidation | undefined,
  input: readonly unknown[],
): readonly PlannedValidation[] {
  return webhook === undefined ? [] : [{ webhook, input: () => input }];
}

/** Validates the keys of deleted rows, in the form that updates by key use. */
export function keyValidation(
  webhook: InputValidation | undefined,
  keys: readonly ReadonlyMap<string, Input>[],
): readonly PlannedValidation[] {
  if (webhook === undefined) return [];
  return [{ webhook, input: (variables) => keys.map((key) => ({ pk_columns: membersJson([...key], variables) })) }];
}

/**
 * Validates inserted rows, with one call for each table that has a webhook, starting with the table of the field. If a
 * conflict updates rows, the webhook of the update permission is also called.
 */
export function rowsValidations(
  view: TableView,
  rows: Input | undefined,
  conflict: Input | undefined,
): readonly PlannedValidation[] {
  const calls: WebhookCalls = { inserts: new Map(), upserts: new Map() };
  collect(view, rows, conflict, calls);
  return [...callsOf(calls.inserts), ...callsOf(calls.upserts)];
}

/** Returns the JSON values of rows. */
type RowsJson = (variables: Variables) => readonly unknown[];

/** Rows for the webhooks of insert and update permissions. */
interface WebhookCalls {
  readonly inserts: Map<InputValidation, RowsJson[]>;
  readonly upserts: Map<InputValidation, RowsJson[]>;
}

function callsOf(calls: ReadonlyMap<InputValidation, readonly RowsJson[]>): readonly PlannedValidation[] {
  return [...calls].map(([webhook, parts]) => ({
    webhook,
    input: (variables) => parts.flatMap((part) => part(variables)),
  }));
}

function collect(view: TableView, rows: Input | undefined, conflict: Input | undefined, into: WebhookCalls): void {
  if (rows?.kind !== "rows" || rows.runs.length === 0) return;
  const { runs } = rows;
  const add = (calls: WebhookCalls["inserts"], webhook: InputValidation | undefined, part: RowsJson): void => {
    if (webhook) calls.set(webhook, [...(calls.get(webhook) ?? []), part]);
  };
  add(into.inserts, view.insert?.validation, (variables) => rowsJson(rows, variables));
  const updates = conflict && upsertJson(view, runs, conflict);
  if (updates) add(into.upserts, view.update?.validation, updates);
  for (const { row } of runs) {
    for (const { meta, value } of row.members) {
      if (meta.kind !== "nested") continue;
      const target = meta.nested.target();
      collect(target, memberOf(value, "data"), memberOf(value, conflictArgument(target.table.source)), into);
    }
    for (const { connects, items } of connectedOf(row)) {
      const target = connects.relationship.target();
      for (const { created } of items) {
        if (created) collect(target, created.data, created.onConflict, into);
      }
    }
  }
}

/** Returns the changes of an upsert to existing rows in the form of updates, if it changes rows. */
function upsertJson(view: TableView, runs: readonly InputRun[], conflict: Input): RowsJson | undefined {
  const { naming } = view.table.source;
  if (!changesRows(conflict, view)) return undefined;
  const where = memberOf(conflict, "where");
  const chosen = new Set(updatedColumns(conflict, view).map(({ field }) => field));
  return (variables) =>
    runs
      .flatMap((run) => runJson(run, variables))
      .map((row) => ({
        where: where ? inputJson(where, variables) : {},
        [naming.field("_set")]: Object.fromEntries(Object.entries(row).filter(([name]) => chosen.has(name))),
      }));
}

const rowsJson = ({ runs }: Extract<Input, { kind: "rows" }>, variables: Variables) =>
  runs.flatMap((run) => runJson(run, variables));

/** Returns the JSON of a run of rows without nested rows, or of a single row. */
function runJson({ row, rows }: InputRun, variables: Variables): readonly Readonly<Record<string, unknown>>[] {
  if (isNested(row)) return [objectJson(row, variables)];
  return rows.of(variables).flatMap(({ values }) => values);
}

const isNested = ({ members }: ObjectInput): boolean => members.some(({ meta }) => isOfOtherRows(meta));

function inputJson(input: Input, variables: Variables): unknown {
  switch (input.kind) {
    case "null":
      return null;
    case "value":
      return sourceValue(input.source, variables) ?? null;
    case "enum":
      return input.name;
    case "list":
      return input.items.map((item) => inputJson(item, variables));
    case "rows":
      return rowsJson(input, variables);
    case "object":
      return objectJson(input, variables);
  }
}

function objectJson({ members }: ObjectInput, variables: Variables): Readonly<Record<string, unknown>> {
  const shown = members.map(({ name, meta, value }): readonly [string, unknown] => {
    // `data` of `connect_or_create` is one row.
    if (meta.kind === "argument" && value.kind === "rows") return [name, rowsJson(value, variables)[0]];
    if (meta.kind !== "nested") return [name, inputJson(value, variables)];
    const { nested } = meta;
    const data = memberOf(value, "data");
    const rows = data ? inputJson(data, variables) : [];
    return [name, { data: nested.kind === "object" && Array.isArray(rows) ? rows[0] : rows }];
  });
  return Object.fromEntries(shown);
}

function membersJson(members: readonly (readonly [string, Input])[], variables: Variables): unknown {
  return Object.fromEntries(members.map(([name, value]) => [name, inputJson(value, variables)]));
}
