/**
 * Makes the clean-ups of a source that are due (`docs/event-triggers.md`). Instances share the work batch by batch:
 * each batch
 * is one transaction, which locks the row of its run and adds to its counts. Who finds the row locked leaves the run to
 * the other; after a crash anybody goes on with it.
 */
import type { SourceTransaction } from "../../databases/sources/source.ts";
import { EngineError } from "../../values/errors.ts";
import { batchSizeOf, deleteBatch, deletedOf, type OldEvents, optionsOf } from "./cleanup.ts";
import type { EventSource } from "./event-source.ts";

export interface DueCleanup extends OldEvents {
  readonly paused: boolean;
}

export interface CleanupReport {
  /** Tells that a run failed; it is not made again. */
  readonly failed: (trigger: string, error: EngineError) => void;
  /** Whether the instance is to stop: it leaves what is not done to others. */
  readonly isStopped: () => boolean;
}

/** @throws EngineError where the runs cannot be read */
export async function runDueCleanups(
  source: EventSource,
  cleanups: readonly DueCleanup[],
  report: CleanupReport,
): Promise<void> {
  if (cleanups.length === 0) return;
  const names = JSON.stringify(cleanups.map(({ trigger }) => trigger));
  const due = await source.database.executeAlone({ errors: "dml" }, { text: source.cleanup.due }, [names]);
  for (const [trigger, run] of due) {
    const found = cleanups.find((each) => each.trigger === trigger);
    if (found === undefined || typeof run !== "string" || report.isStopped()) continue;
    await runCleanup(source, run, found, report);
  }
}

async function runCleanup(source: EventSource, run: string, due: DueCleanup, report: CleanupReport): Promise<void> {
  const { database, cleanup } = source;
  const write = (text: string, ...values: string[]) =>
    database.executeAlone(optionsOf(due), { text }, [run, ...values]);
  await write(cleanup.skipOlder);
  if (due.paused) {
    await write(cleanup.end, "paused");
    return;
  }
  try {
    while (!report.isStopped() && (await runBatch(source, run, due)) === "unfinished");
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    report.failed(due.trigger, error);
    await write(cleanup.end, "dead");
  }
}

/** `finished` also where another instance has the run, or has ended it. */
function runBatch(source: EventSource, run: string, due: DueCleanup): Promise<"finished" | "unfinished"> {
  return source.database.transaction(optionsOf(due), async (transaction) => {
    const claimed = await transaction.query({ text: source.cleanup.claim }, [run]);
    return claimed.length === 0 ? "finished" : deleteClaimed(transaction, source, run, due);
  });
}

async function deleteClaimed(transaction: SourceTransaction, { cleanup }: EventSource, run: string, due: DueCleanup) {
  const { statement, values } = deleteBatch(cleanup, due);
  const { events, invocations } = deletedOf(await transaction.query(statement, values));
  const outcome = events < batchSizeOf(due) ? "finished" : "unfinished";
  const status = outcome === "finished" ? "completed" : "scheduled";
  await transaction.query({ text: cleanup.record }, [run, String(events), String(invocations), status]);
  return outcome;
}
