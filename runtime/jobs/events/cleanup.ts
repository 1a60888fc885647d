/** Deletes old events of a trigger (`docs/how-to/event-triggers.md`) in batches, without blocking the delivery of new ones. */
import type { TransactionOptions } from "../../databases/sources/source.ts";
import type { CleanupStatements } from "./cleanup-statements.ts";
import type { EventSource } from "./event-source.ts";

export interface OldEvents {
  readonly trigger: string;
  readonly olderThanHours: number;
  readonly batchSize: number;
  /** Timeout of each statement. */
  readonly timeoutSeconds: number;
  readonly withInvocations: boolean;
}

export interface Deleted {
  readonly events: number;
  readonly invocations: number;
}

/** Maximum age in hours: more than a century, and within the range of intervals that databases can compute. */
const maxHours = 1_000_000;
const maxRows = 1_000_000;
const maxSeconds = 86_400;

export function optionsOf({ timeoutSeconds }: Pick<OldEvents, "timeoutSeconds">): TransactionOptions {
  const timeoutMilliseconds = Math.min(Math.max(timeoutSeconds, 1), maxSeconds) * 1000;
  return { timeoutMilliseconds, isolation: "read-committed", errors: "dml" };
}

/** Returns the batch size within its bounds. */
export function batchSizeOf({ batchSize }: Pick<OldEvents, "batchSize">): number {
  return Math.min(Math.max(batchSize, 1), maxRows);
}

/**
 * Returns the statement that deletes one batch and returns the numbers of events and invocations, with its parameters.
 */
export function deleteBatch(statements: CleanupStatements, old: OldEvents) {
  const { trigger, olderThanHours, withInvocations } = old;
  const hours = Math.min(Math.max(olderThanHours, 0), maxHours);
  const text = withInvocations ? statements.deleteWithInvocations : statements.deleteEvents;
  return { statement: { text }, values: [trigger, String(hours), String(batchSizeOf(old))] };
}

export function deletedOf([row]: readonly (readonly (string | null)[])[]): Deleted {
  return { events: Number(row?.[0] ?? 0), invocations: Number(row?.[1] ?? 0) };
}

/** Deletes all matching events batch by batch. Batches before an error stay deleted. */
export async function deleteOldEvents({ database, cleanup }: EventSource, old: OldEvents): Promise<Deleted> {
  const { statement, values } = deleteBatch(cleanup, old);
  let total: Deleted = { events: 0, invocations: 0 };
  for (;;) {
    const deleted = deletedOf(await database.executeAlone(optionsOf(old), statement, values));
    total = { events: total.events + deleted.events, invocations: total.invocations + deleted.invocations };
    if (deleted.events < batchSizeOf(old)) return total;
  }
}
