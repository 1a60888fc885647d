/**
 * Runs a statement for a batch of variable sets. If the batch fails, runs each set alone, so that only bad sets fail.
 */

import { byteReads } from "../../databases/sources/byte-reads.ts";
import { Deadline } from "../../databases/sources/deadline.ts";
import type { ByteValues, PreparedStatement, Reads, SqlValue } from "../../databases/sources/source.ts";
import type { Caller } from "../../values/caller.ts";
import { EngineError } from "../../values/errors.ts";
import type { LiveStatement } from "./live-query.ts";

/** `undefined` if the result is unchanged. */
export type Row = ByteValues | undefined;

export type Outcome =
  | { readonly kind: "row"; readonly row: Row }
  /** `alone`: true if the same statement succeeded for other sets. */
  | { readonly kind: "failed"; readonly error: unknown; readonly alone: boolean };

export interface BatchResult {
  /** Outcomes in the order of the sets. */
  readonly outcomes: readonly Outcome[];
  /** Number of statements sent. */
  readonly statements: number;
}

/**
 * Runs the statement for all sets. Never rejects.
 * @param caller caller of the whole batch
 */
export async function runBatch(
  statement: LiveStatement,
  sets: readonly (readonly SqlValue[])[],
  caller: Caller,
): Promise<BatchResult> {
  const [only] = sets;
  if (statement.source.isUnbatched) {
    return { ...(await runEach(statement, sets, caller)), statements: sets.length };
  }
  if (only && sets.length === 1) return { outcomes: [await runOne(statement, only, caller)], statements: 1 };
  try {
    const rows = await runStatement(statement, statement.multiplexed, statement.multiplexedValues(sets), {
      sets: sets.length,
      caller,
    });
    const outcomes: Outcome[] = sets.map(() => ({ kind: "row", row: undefined }));
    for (const [number, ...row] of rows) outcomes[Number(number?.toString()) - 1] = { kind: "row", row };
    return { outcomes, statements: 1 };
  } catch (error) {
    if (isUnreachable(error)) {
      return { outcomes: sets.map(() => ({ kind: "failed", error, alone: false })), statements: 1 };
    }
    return runEach(statement, sets, caller);
  }
}

/** Runs the sets sequentially, so that a failing batch uses only one connection. */
async function runEach(
  statement: LiveStatement,
  sets: readonly (readonly SqlValue[])[],
  caller: Caller,
): Promise<BatchResult> {
  const outcomes: Outcome[] = [];
  for (const set of sets) outcomes.push(await runOne(statement, set, caller));
  const alone = outcomes.some(({ kind }) => kind === "row");
  return {
    outcomes: outcomes.map((outcome) => (outcome.kind === "failed" ? { ...outcome, alone } : outcome)),
    statements: 1 + sets.length,
  };
}

async function runOne(statement: LiveStatement, set: readonly SqlValue[], caller: Caller): Promise<Outcome> {
  try {
    const [row] = await runStatement(statement, statement.single, set, { sets: 1, caller });
    return { kind: "row", row };
  } catch (error) {
    return { kind: "failed", error, alone: false };
  }
}

/**
 * Runs one statement. Statements that call functions receive the session variables in a setting and run read-only,
 * because polls repeat them every second. The time limit of an operation is multiplied by the number of sets.
 */
async function runStatement(
  live: LiveStatement,
  statement: PreparedStatement,
  values: readonly SqlValue[],
  run: BatchRun,
): Promise<readonly ByteValues[]> {
  const { source, reader = source, takesBytes } = live;
  if (!takesBytes) return runAs(reader, live, [statement, values], run);
  const rows = await runAs(byteReads(reader), live, [statement, values], run);
  return rows.map((row) => row.values);
}

interface BatchRun {
  readonly sets: number;
  readonly caller: Caller;
}

/** @param reads the form of the rows */
async function runAs<Row>(
  reads: Reads<Row>,
  { user, timeLimit }: LiveStatement,
  [statement, values]: readonly [PreparedStatement, readonly SqlValue[]],
  { sets, caller }: BatchRun,
): Promise<readonly Row[]> {
  if (user === undefined && timeLimit === undefined) return reads.query(statement, values, caller);
  const transaction = { ...(user !== undefined && { user }), readOnly: true, caller };
  if (timeLimit === undefined) return reads.executeAlone(transaction, statement, values);
  const deadline = new Deadline(timeLimit * sets, caller);
  const timeoutMilliseconds = deadline.timeoutMilliseconds();
  return deadline.race(
    reads.executeAlone({ ...transaction, caller: deadline, timeoutMilliseconds }, statement, values),
  );
}

/** Returns true if the source was unreachable. Errors of the statement itself have other codes or statuses. */
function isUnreachable(error: unknown): boolean {
  return error instanceof EngineError && error.status >= 500 && error.code !== "unexpected";
}
