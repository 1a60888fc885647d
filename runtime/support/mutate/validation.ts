/**
 * What a mutation field asks input-validation webhooks, and about what: the arguments as they were given, rows of
 * nested inserts with the permission of their own table (`graphql-api.md` 6.5).
 */

import type { InputValidation } from "../input-validation.ts";
import type { Input, InputRun, ObjectInput } from "../operation/input.ts";
import type { BindInput } from "../parameters.ts";
import { sourceValue } from "../parameters.ts";
import type { TableView } from "../view.ts";

type Variables = BindInput["variables"];

/** One call of a webhook. */
export interface PlannedValidation {
  readonly webhook: InputValidation;
  /** The JSON values of `data.input`. */
  readonly input: (variables: Variables) => readonly unknown[];
}

/** The arguments of an update or a delete, one object for each statement. */
export function argumentsValidation(
  webhook: InputValidation | undefined,
  args: readonly ReadonlyMap<string, Input>[],
): readonly PlannedValidation[] {
  if (webhook === undefined || args.length === 0) return [];
  return [{ webhook, input: (variables) => args.map((each) => membersJson([...each], variables)) }];
}

/** Arguments that are JSON already. */
export function givenValidation(
  webhook: InputValidation | undefined,
  input: readonly unknown[],
): readonly PlannedValidation[] {
  return webhook === undefined ? [] : [{ webhook, input: () => input }];
}

/** The keys of rows to delete, in the form that updates by key have. */
export function keyValidation(
  webhook: InputValidation | undefined,
  keys: readonly ReadonlyMap<string, Input>[],
): readonly PlannedValidation[] {
  if (webhook === undefined) return [];
  return [{ webhook, input: (variables) => keys.map((key) => ({ pk_columns: membersJson([...key], variables) })) }];
}

/** Rows to insert, with one call for each table that has a webhook: the table of the field first. */
export function rowsValidations(view: TableView, rows: Input | undefined): readonly PlannedValidation[] {
  const runs = new Map<InputValidation, InputRun[]>();
  collect(view, rows, runs);
  return [...runs].map(([webhook, those]) => ({
    webhook,
    input: (variables) => those.flatMap((run) => runJson(run, variables)),
  }));
}

function collect(view: TableView, rows: Input | undefined, into: Map<InputValidation, InputRun[]>): void {
  if (rows?.kind !== "rows") return;
  const webhook = view.insert?.validation;
  if (webhook && rows.runs.length > 0) into.set(webhook, [...(into.get(webhook) ?? []), ...rows.runs]);
  for (const { row } of rows.runs) {
    for (const { field, value } of row.members) {
      if (field.meta.kind === "nested") collect(field.meta.nested.target(), memberOf(value, "data"), into);
    }
  }
}

function memberOf(input: Input, name: string): Input | undefined {
  return input.kind === "object" ? input.members.find((member) => member.name === name)?.value : undefined;
}

/** A run of rows without nested ones, or a single row. */
function runJson({ row, rows }: InputRun, variables: Variables): readonly unknown[] {
  if (isNested(row)) return [inputJson(row, variables)];
  return rows.of(variables).map(({ values }) => values);
}

const isNested = ({ members }: ObjectInput): boolean => members.some(({ field }) => field.meta.kind === "nested");

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
      return input.runs.flatMap((run) => runJson(run, variables));
    case "object":
      return objectJson(input, variables);
  }
}

function objectJson({ members }: ObjectInput, variables: Variables): unknown {
  const shown = members.map(({ name, field, value }): readonly [string, unknown] => {
    if (field.meta.kind !== "nested") return [name, inputJson(value, variables)];
    const { nested } = field.meta;
    const data = memberOf(value, "data");
    const rows = data ? inputJson(data, variables) : [];
    return [name, { data: nested.kind === "object" && Array.isArray(rows) ? rows[0] : rows }];
  });
  return Object.fromEntries(shown);
}

function membersJson(members: readonly (readonly [string, Input])[], variables: Variables): unknown {
  return Object.fromEntries(members.map(([name, value]) => [name, inputJson(value, variables)]));
}
