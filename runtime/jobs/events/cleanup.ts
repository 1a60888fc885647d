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

/** The deleted rows of one batch. */
export interface DeletedBatch extends Deleted {
  /** Time of creation of the last deleted event, from which the next batch continues. */
  readonly last: string | null;
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
 * Returns the statement that deletes one batch, with its parameters.
 * @param from time of the last event that the previous batch deleted: the statement skips the index entries of deleted
 * events, which the database keeps while an older transaction is open
 */
export function deleteBatch(statements: CleanupStatements, old: OldEvents, from: string | null) {
  const { trigger, olderThanHours, withInvocations } = old;
  const hours = Math.min(Math.max(olderThanHours, 0), maxHours);
  const text = withInvocations ? statements.deleteWithInvocations : statements.deleteEvents;
  return { statement: { text }, values: [trigger, String(hours), String(batchSizeOf(old)), from] };
}

export function deletedOf([row]: readonly (readonly (string | null)[])[]): DeletedBatch {
  return { events: Number(row?.[0] ?? 0), invocations: Number(row?.[1] ?? 0), last: row?.[2] ?? null };
}

/** Deletes all matching events batch by batch. Batches before an error stay deleted. */
export async function deleteOldEvents({ database, cleanup }: EventSource, old: OldEvents): Promise<Deleted> {
  let total: Deleted = { events: 0, invocations: 0 };
  let from: string | null = null;
  for (;;) {
    const { statement, values } = deleteBatch(cleanup, old, from);
    const deleted = deletedOf(await database.executeAlone(optionsOf(old), statement, values));
    total = { events: total.events + deleted.events, invocations: total.invocations + deleted.invocations };
    if (deleted.events < batchSizeOf(old)) return total;
    from = deleted.last;
  }
}
