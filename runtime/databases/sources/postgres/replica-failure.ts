/** Classifies errors of a standby server (PostgreSQL documentation, "Hot Standby" and appendix "Error Codes"). */
import { EngineError } from "../../../values/errors.ts";
import type { ClassifyReplicaFailure } from "../replicas.ts";

export const classifyReplicaFailure: ClassifyReplicaFailure = (error) => {
  if (!(error instanceof EngineError)) return undefined;
  if (error.code === "postgres-max-connections-error") return "unable";
  const state = stateOf(error.cause);
  if (state !== undefined && goneStates.has(state)) return "gone";
  if (state !== undefined && unableStates.has(state)) return "unable";
  // A statement rejected by the database has another code.
  return error.code === "postgres-error" && error.status >= 500 ? "gone" : undefined;
};

function stateOf(cause: unknown): string | undefined {
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
}

/** The server is shutting down, has crashed, or is starting. */
const goneStates: ReadonlySet<string> = new Set(["57P01", "57P02", "57P03"]);

const unableStates: ReadonlySet<string> = new Set([
  // Needed rows were removed on the primary.
  "40001",
  "40P01",
  // A function writes, or requires something that is unavailable during recovery.
  "25006",
  "55000",
  "0A000",
  // Objects created on the primary have not arrived: tables, columns, functions, types, schemas.
  "42P01",
  "42703",
  "42883",
  "42704",
  "3F000",
]);
