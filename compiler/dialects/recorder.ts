/** What records the events of a table, decided but for the SQL that each kind of database spells differently. */
import type { EventOperation, EventRecorder } from "../../runtime/model/definitions/events/event-trigger.ts";
import { hash } from "../catalog/canonical.ts";
import type { QualifiedName } from "../catalog/model.ts";
import type { TableShape, TypeRef } from "../shape/shape.ts";

export interface RecordedColumn {
  readonly name: string;
  readonly type: TypeRef;
  /** SQL that computes it from other columns of the row, where triggers do not see its value. */
  readonly virtual?: string;
}

export interface RecordedTable extends QualifiedName {
  /** All of them, in the order of the table. */
  readonly columns: readonly RecordedColumn[];
  readonly primaryKey: readonly string[];
  /** Only statements on this very table write its rows: it has no part in partitions or inheritance. */
  readonly standsAlone: boolean;
  readonly partitioned: boolean;
}

/** How what a condition mentions is spelled. */
export interface ConditionNames {
  readonly old: string;
  readonly new: string;
  /** A constant that is read anew each time. */
  readonly constant: (text: string) => string;
}

/** A condition that a change has to meet to be recorded. */
interface RecordedCondition {
  /** With what the row before and the row after the change are called. */
  readonly text: (names: ConditionNames) => string;
  /** Of the columns that it compares. */
  readonly types: readonly TypeRef[];
}

export interface RecorderPlan {
  readonly trigger: string;
  readonly operation: EventOperation;
  readonly table: RecordedTable;
  /** Of an update: the columns one of which has to change. */
  readonly watched: "*" | readonly string[];
  /** The columns that are delivered. */
  readonly payload: "*" | readonly string[];
  readonly condition?: RecordedCondition;
  /** The columns whose values order events. */
  readonly orderingKey?: readonly string[];
  /** Rows that replication writes are recorded, too. */
  readonly onReplication: boolean;
  /** Numbers that JavaScript would round are strings. */
  readonly stringifyNumbers: boolean;
}

/** What of an event trigger a kind of database may be unable to do. */
export interface RecordingRequest {
  readonly table: Pick<TableShape, "kind" | "primaryKey">;
  readonly operations: readonly EventOperation[];
  /** Those that are watched or delivered. */
  readonly columns: readonly RecordedColumn[];
}

/** The columns of a list, in the order of the table; `"*"`: all. */
export function columnsOf({ columns }: RecordedTable, names: "*" | readonly string[]): readonly RecordedColumn[] {
  return names === "*" ? columns : columns.filter(({ name }) => names.includes(name));
}

/**
 * `notify_engine_<trigger>_<OP>`. Names that the database would cut keep what is different at their end.
 * @param longest in bytes
 */
export function recorderName({ trigger, operation }: RecorderPlan, longest: number): string {
  const name = `notify_engine_${trigger}_${operation}`;
  if (Buffer.byteLength(name) <= longest) return name;
  const ending = `_${hash(trigger).slice(0, 8)}_${operation}`;
  let start = `notify_engine_${trigger}`;
  while (Buffer.byteLength(start + ending) > longest) start = Array.from(start).slice(0, -1).join("");
  return start + ending;
}

/**
 * A recorder whose definition knows its hash.
 * @param statements given the comment that tells it
 */
export function withHash(
  { operation }: RecorderPlan,
  name: string,
  statements: (comment: string) => readonly string[],
): EventRecorder {
  const definition = hash(statements("")).slice(0, 16);
  return { operation, name, hash: definition, statements: statements(`-- definition ${definition}\n`) };
}
