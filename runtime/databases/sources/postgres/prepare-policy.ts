/**
 * Decides which statements are prepared by name. A pooler in transaction mode breaks named statements, so the first
 * sign of a pooler ends naming, unless the settings require it.
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

  /**
   * Returns the step for a statement, named if possible.
   * @param repeatable whether the caller can rerun the statement if the server rejects the name
   */
  step({ text, name }: PreparedStatement, values: readonly SqlValue[], repeatable: boolean): Step {
    return name === undefined || !this.#givesNames(repeatable) ? { text, values } : { text, values, name };
  }

  /** Removes the name of a step if statements are not prepared. */
  own(step: Step, repeatable: boolean): Step {
    if (this.#givesNames(repeatable)) return step;
    const { name, ...unnamed } = step;
    return unnamed;
  }

  #givesNames(repeatable: boolean): boolean {
    return this.#mode !== "never" && (repeatable || this.#mode === "always");
  }

  /**
   * Returns the step to run after the server rejected a prepared statement, which did not run; `undefined` if the
   * statement itself failed.
   */
  replacement(connection: PostgresConnection, { error, step }: StepFailure): Step | undefined {
    const { name, ...unnamed } = step;
    if (name === undefined || !(error instanceof DatabaseError)) return undefined;
    if (isUnknownOrTaken(error, name)) {
      if (this.#mode === "until-pooler") this.#mode = "never";
    } else if (!isOutdatedPlan(error)) {
      return undefined;
    }
    connection.forget(name);
    return this.#mode === "never" ? unnamed : step;
  }
}

/**
 * Matches `prepared statement "…" does not exist` and `… already exists` for this name, but not for a statement inside
 * a function.
 */
function isUnknownOrTaken(error: DatabaseError, name: string): boolean {
  return (error.code === "26000" || error.code === "42P05") && error.message.includes(name);
}

/**
 * Matches `cached plan must not change result type`; and `cache lookup failed for type …` while parameters are bound,
 * because the type of a parameter, such as the row type of a table, was dropped and created again. The names of routines
 * are not localized.
 */
function isOutdatedPlan({ code, routine = "" }: DatabaseError): boolean {
  if (code === "0A000") return routine === "RevalidateCachedQuery";
  return code === "XX000" && /^getType(?:Binary)?InputInfo$/.test(routine);
}
