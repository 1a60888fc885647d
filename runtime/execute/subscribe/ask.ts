/** Asks a statement for many sets of values at once, so that a set which the database refuses fails alone. */
import { Deadline } from "../../databases/sources/deadline.ts";
import type { PreparedStatement, SqlValue, TextRow } from "../../databases/sources/source.ts";
import type { Caller } from "../../values/caller.ts";
import { EngineError } from "../../values/errors.ts";
import type { LiveStatement } from "./live-query.ts";

/** No row: unchanged. */
export type Row = TextRow | undefined;

export type Outcome =
  | { readonly kind: "row"; readonly row: Row }
  /** `alone`: the same statement succeeded for other sets. */
  | { readonly kind: "failed"; readonly error: unknown; readonly alone: boolean };

export interface Asked {
  /** In the order of the sets. */
  readonly outcomes: readonly Outcome[];
  /** How many statements it took. */
  readonly statements: number;
}

/**
 * Never rejects.
 * @param caller asks for all of them
 */
export async function ask(
  statement: LiveStatement,
  sets: readonly (readonly SqlValue[])[],
  caller: Caller,
): Promise<Asked> {
  const [only] = sets;
  if (statement.source.isAskedOneByOne) {
    return { ...(await askEach(statement, sets, caller)), statements: sets.length };
  }
  if (only && sets.length === 1) return { outcomes: [await askOne(statement, only, caller)], statements: 1 };
  try {
    const rows = await run(statement, statement.multiplexed, statement.multiplexedValues(sets), {
      sets: sets.length,
      caller,
    });
    const outcomes: Outcome[] = sets.map(() => ({ kind: "row", row: undefined }));
    for (const [number, ...row] of rows) outcomes[Number(number) - 1] = { kind: "row", row };
    return { outcomes, statements: 1 };
  } catch (error) {
    if (isUnreachable(error)) {
      return { outcomes: sets.map(() => ({ kind: "failed", error, alone: false })), statements: 1 };
    }
    return askEach(statement, sets, caller);
  }
}

/** One after the other: whatever is wrong, it takes one connection. */
async function askEach(
  statement: LiveStatement,
  sets: readonly (readonly SqlValue[])[],
  caller: Caller,
): Promise<Asked> {
  const outcomes: Outcome[] = [];
  for (const set of sets) outcomes.push(await askOne(statement, set, caller));
  const alone = outcomes.some(({ kind }) => kind === "row");
  return {
    outcomes: outcomes.map((outcome) => (outcome.kind === "failed" ? { ...outcome, alone } : outcome)),
    statements: 1 + sets.length,
  };
}

async function askOne(statement: LiveStatement, set: readonly SqlValue[], caller: Caller): Promise<Outcome> {
  try {
    const [row] = await run(statement, statement.single, set, { sets: 1, caller });
    return { kind: "row", row };
  } catch (error) {
    return { kind: "failed", error, alone: false };
  }
}

/**
 * Functions find the session variables in a setting, and may not write: nobody asked them to, once a second. The time
 * limit is that of one operation: a statement for several has as much longer.
 */
async function run(
  { source, reader = source, user, timeLimit }: LiveStatement,
  statement: PreparedStatement,
  values: readonly SqlValue[],
  { sets, caller }: { readonly sets: number; readonly caller: Caller },
): Promise<readonly TextRow[]> {
  if (user === undefined && timeLimit === undefined) return reader.query(statement, values, caller);
  const transaction = { ...(user !== undefined && { user }), readOnly: true, caller };
  if (timeLimit === undefined) return reader.executeAlone(transaction, statement, values);
  const deadline = new Deadline(timeLimit * sets, caller);
  const timeoutMilliseconds = deadline.timeoutMilliseconds();
  return deadline.race(
    reader.executeAlone({ ...transaction, caller: deadline, timeoutMilliseconds }, statement, values),
  );
}

/** The source could not be asked at all; what a statement itself may fail with has another code or status. */
function isUnreachable(error: unknown): boolean {
  return error instanceof EngineError && error.status >= 500 && error.code !== "unexpected";
}
