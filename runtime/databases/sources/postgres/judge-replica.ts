/** What an error of a standby server says of it (PostgreSQL, "Hot Standby" and appendix "Error Codes"). */
import { EngineError } from "../../../values/errors.ts";
import type { JudgeFailure } from "../replicas.ts";

export const judgeReplica: JudgeFailure = (error) => {
  if (!(error instanceof EngineError)) return undefined;
  if (error.code === "postgres-max-connections-error") return "unable";
  const state = stateOf(error.cause);
  if (state !== undefined && goneStates.has(state)) return "gone";
  if (state !== undefined && unableStates.has(state)) return "unable";
  // Of a statement that the database refused the code is another.
  return error.code === "postgres-error" && error.status >= 500 ? "gone" : undefined;
};

function stateOf(cause: unknown): string | undefined {
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
}

/** It shuts down, has crashed, or still starts. */
const goneStates: ReadonlySet<string> = new Set(["57P01", "57P02", "57P03"]);

const unableStates: ReadonlySet<string> = new Set([
  // Rows that it needs were removed on the primary.
  "40001",
  "40P01",
  // A function writes, or asks for what there is not during recovery.
  "25006",
  "55000",
  "0A000",
  // What was made on the primary has not arrived: tables, columns, functions, types, schemas.
  "42P01",
  "42703",
  "42883",
  "42704",
  "3F000",
]);
