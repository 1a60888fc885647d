/**
 * Which statements of a source are prepared by name (ruling 17 of the specification's README). A pooler that hands each
 * transaction another server connection breaks names; unless the settings insist, the first sign of one ends naming.
 */
import { DatabaseError } from "pg";
import type { PreparedStatement, SqlValue } from "../source.ts";
import type { PostgresConnection } from "./connection.ts";
import type { Step, StepFailure } from "./extended-query.ts";
import type { PostgresSettings } from "./settings.ts";

export class PreparePolicy {
  #mode: PostgresSettings["prepare"];

  constructor(mode: PostgresSettings["prepare"]) {
    this.#mode = mode;
  }

  /** @param repeatable whether the caller can run the statement again when the server refuses the name */
  step({ text, name }: PreparedStatement, values: readonly SqlValue[], repeatable: boolean): Step {
    return name === undefined || !this.#givesNames(repeatable) ? { text, values } : { text, values, name };
  }

  /** A step that has a name, as it is sent. */
  own(step: Step, repeatable: boolean): Step {
    if (this.#givesNames(repeatable)) return step;
    const { text, values, silent } = step;
    return { text, values, ...(silent && { silent }) };
  }

  #givesNames(repeatable: boolean): boolean {
    return this.#mode !== "never" && (repeatable || this.#mode === "always");
  }

  /**
   * What to run instead when the server refused a prepared statement rather than what it says; absent: the failure is
   * the statement's own. The refused statement did not run.
   */
  instead(connection: PostgresConnection, { error, step }: StepFailure): Step | undefined {
    const { name, text, values } = step;
    if (name === undefined || !(error instanceof DatabaseError)) return undefined;
    if (isUnknownOrTaken(error, name)) {
      if (this.#mode === "until-pooler") this.#mode = "never";
    } else if (!isOutdatedPlan(error)) {
      return undefined;
    }
    connection.forget(name);
    return this.#mode === "never" ? { text, values } : step;
  }
}

/** `prepared statement "…" does not exist` or `… already exists`, about this name and none inside a function. */
function isUnknownOrTaken(error: DatabaseError, name: string): boolean {
  return (error.code === "26000" || error.code === "42P05") && error.message.includes(name);
}

/** `cached plan must not change result type`; the routine's name is the same in every language. */
function isOutdatedPlan(error: DatabaseError): boolean {
  return error.code === "0A000" && error.routine === "RevalidateCachedQuery";
}
