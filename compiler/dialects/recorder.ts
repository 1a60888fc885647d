/** Plan and names of the objects that record the events of a table, independent of the SQL of a database kind. */
import type { EventOperation, EventRecorder } from "../../runtime/model/definitions/events/event-trigger.ts";
import { hash } from "../catalog/canonical.ts";
import type { QualifiedName } from "../catalog/model.ts";
import type { TableShape, TypeRef } from "../shape/shape.ts";

export interface RecordedColumn {
  readonly name: string;
  readonly type: TypeRef;
  /** SQL expression of a virtual column over other columns of the row, since triggers do not receive its value. */
  readonly virtual?: string;
}

export interface RecordedTable extends QualifiedName {
  /** All columns, in table order. */
  readonly columns: readonly RecordedColumn[];
  readonly primaryKey: readonly string[];
  /** True if only statements on this table write its rows: it is not part of partitioning or inheritance. */
  readonly standsAlone: boolean;
  readonly partitioned: boolean;
}

/** SQL for the rows and constants of a condition. */
export interface ConditionNames {
  readonly old: string;
  readonly new: string;
  /** Returns a constant that is evaluated on each use. */
  readonly constant: (text: string) => string;
}

/** A condition that a change must meet to be recorded. */
interface RecordedCondition {
  /** Returns the SQL of the condition. */
  readonly text: (names: ConditionNames) => string;
  /** Types of the compared columns. */
  readonly types: readonly TypeRef[];
}

export interface RecorderPlan {
  readonly trigger: string;
  readonly operation: EventOperation;
  readonly table: RecordedTable;
  /** For updates: at least one of these columns must change. */
  readonly watched: "*" | readonly string[];
  /** Delivered columns. */
  readonly payload: "*" | readonly string[];
  readonly condition?: RecordedCondition;
  /** Columns whose values order the events. */
  readonly orderingKey?: readonly string[];
  /** Also records replicated rows. */
  readonly onReplication: boolean;
  /** Writes numbers that JavaScript would round as strings. */
  readonly stringifyNumbers: boolean;
}

/** Parts of an event trigger that a database kind may not support. */
export interface RecordingRequest {
  readonly table: Pick<TableShape, "kind" | "primaryKey" | "distribution">;
  readonly operations: readonly EventOperation[];
  /** Watched and delivered columns. */
  readonly columns: readonly RecordedColumn[];
}

/** Returns the listed columns in table order; `"*"` means all. */
export function columnsOf({ columns }: RecordedTable, names: "*" | readonly string[]): readonly RecordedColumn[] {
  return names === "*" ? columns : columns.filter(({ name }) => names.includes(name));
}

/**
 * Returns `notify_engine_<trigger>_<OP>`. A name that is too long is shortened, with a hash at its end.
 * @param maxBytes maximum length in bytes
 */
export function recorderName({ trigger, operation }: RecorderPlan, maxBytes: number): string {
  const name = `notify_engine_${trigger}_${operation}`;
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const ending = `_${hash(trigger).slice(0, 8)}_${operation}`;
  let start = `notify_engine_${trigger}`;
  while (Buffer.byteLength(start + ending) > maxBytes) start = Array.from(start).slice(0, -1).join("");
  return start + ending;
}

/**
 * Returns a recorder whose definition contains its own hash.
 * @param statements builds the statements with the comment that contains the hash
 */
export function withHash(
  { operation }: RecorderPlan,
  name: string,
  statements: (comment: string) => readonly string[],
): EventRecorder {
  const definition = hash(statements("")).slice(0, 16);
  return { operation, name, hash: definition, statements: statements(`-- definition ${definition}\n`) };
}
