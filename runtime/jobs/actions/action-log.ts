/** The log of asynchronous action calls: queues, finds, watches and clears calls (`docs/how-to/actions.md`). */

import type { ActionDefinition } from "../../model/definitions/actions/action.ts";
import { withoutTrace } from "../../outbound/call-headers.ts";
import { storedHeaders } from "../../outbound/client-headers.ts";
import { type ErrorVisibility, showsInternal } from "../../values/error-body.ts";
import { invariant } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { parseDatabaseJson } from "../../values/json/parse.ts";
import { stringifyJson } from "../../values/json-number.ts";
import type { Session } from "../../values/session.ts";
import type { AutomationDatabase } from "../delivery/database.ts";
import { EndWatch } from "./end-watch.ts";
import { isRefusal, withEngineErrors } from "./log-error.ts";
import { clearStatement, findStatement, insertStatement } from "./statements.ts";
import { parseStored, storedVariables, wrapped } from "./stored-json.ts";

export interface LoggedCall {
  readonly id: string;
  /** Timestamp in the form that the database uses in JSON. */
  readonly createdAt: string;
  readonly hasEnded: boolean;
  /** Response of the handler; `null` if the call is running or has failed. */
  readonly output: unknown;
  /** Error object, including details for privileged callers; `null` unless the call has failed. */
  readonly errors: unknown;
}

type CallerSession = Pick<Session, "role" | "variables" | "clientHeaders" | "span">;

export class ActionLog {
  readonly #database: AutomationDatabase;
  readonly #listeners = new Set<() => void>();
  /** Watches calls that clients are waiting for. */
  readonly ends: EndWatch;

  constructor(database: AutomationDatabase) {
    this.#database = withEngineErrors(database);
    this.ends = new EndWatch(this.#database);
  }

  /** Registers a listener that runs when this instance queues a call. */
  onStarted(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /**
   * Queues a call.
   * @returns the id of the call
   * @throws EngineError if the call cannot be stored
   */
  async start(
    { name, handler }: ActionDefinition,
    input: Readonly<Record<string, unknown>>,
    session: CallerSession,
  ): Promise<string> {
    const kept = storedHeaders(session.clientHeaders ?? {}, {
      forward: handler.forwardClientHeaders,
      ignored: handler.ignoredClientHeaders,
    });
    // The instance that delivers the call continues the trace of the request.
    const trace = session.span?.headers();
    const headers = trace ? { ...withoutTrace(kept), ...trace } : kept;
    const others = [stringifyJson(headers), storedVariables(session.variables)];
    const text = stringifyJson(input);
    const insert = (inputText: string) => this.#database.query(insertStatement, [name, inputText, ...others]);
    const [row] = await insert(text).catch((error: unknown) => {
      if (isRefusal(error)) return insert(wrapped(text));
      throw error;
    });
    invariant(row, "a call that was inserted has an id");
    for (const listener of this.#listeners) listener();
    return String(row.id);
  }

  /**
   * Returns the call with the given id, or `undefined` if there is none or it belongs to another session.
   * @throws EngineError `data-exception` if `id` is not a UUID
   */
  async find({ name }: ActionDefinition, id: unknown, session: CallerSession): Promise<LoggedCall | undefined> {
    const variables = session.role === "admin" ? null : storedVariables(session.variables);
    const [row] = await this.#database.query(findStatement, [String(id), name, variables]);
    if (row === undefined) return undefined;
    return {
      id: String(row.id),
      createdAt: String(parseDatabaseJson(String(row.created_at))),
      hasEnded: row.has_ended === true,
      output: jsonOf(row.output),
      errors: jsonOf(row.errors),
    };
  }

  /** Deletes calls that ended more than `olderThanHours` ago, in batches. Returns the number of deleted calls. */
  async clear(olderThanHours: number, batchSize: number): Promise<number> {
    let total = 0;
    for (;;) {
      const deleted = (await this.#database.query(clearStatement, [olderThanHours, batchSize])).length;
      total += deleted;
      if (deleted < batchSize) return total;
    }
  }
}

/** Returns stored errors without internal details, unless the session may see these. */
export function shownErrors(errors: unknown, visibility: ErrorVisibility, session: Session): unknown {
  if (!isObject(errors) || showsInternal(visibility, session)) return errors;
  const { internal: _, ...others } = errors;
  return others;
}

const jsonOf = (text: unknown): unknown => (typeof text === "string" ? parseStored(text) : null);
