/** The calls of asynchronous actions: asked for, looked at, waited for (`docs/actions.md`). */

import type { ActionDefinition } from "../../model/definitions/actions/action.ts";
import { withoutTrace } from "../../outbound/call-headers.ts";
import { keptHeaders } from "../../outbound/client-headers.ts";
import { invariant } from "../../values/errors.ts";
import { stringifyJson } from "../../values/json-number.ts";
import { parseAnswer } from "../../values/parse-json.ts";
import type { Session } from "../../values/session.ts";
import type { AutomationDatabase } from "../delivery/database.ts";
import { EndWatch } from "./end-watch.ts";
import { isRefusal, throughDatabaseErrors } from "./log-error.ts";
import { clearStatement, findStatement, insertStatement } from "./statements.ts";
import { parseStored, storedVariables, wrapped } from "./stored-json.ts";

/** What has become of a call. */
export interface LoggedCall {
  readonly id: string;
  /** As the database writes times in JSON. */
  readonly createdAt: string;
  readonly hasEnded: boolean;
  /** What the handler answered; null unless it has. */
  readonly output: unknown;
  /** Why it has failed, with what only some may know; null unless it has. */
  readonly errors: unknown;
}

type AskingSession = Pick<Session, "role" | "variables" | "clientHeaders" | "span">;

export class ActionLog {
  readonly #database: AutomationDatabase;
  readonly #listeners = new Set<() => void>();
  /** Of the calls that somebody waits for. */
  readonly ends: EndWatch;

  constructor(database: AutomationDatabase) {
    this.#database = throughDatabaseErrors(database);
    this.ends = new EndWatch(this.#database);
  }

  /** Tells of calls that are asked for here. */
  onStarted(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /**
   * Asks for a call.
   * @returns its id
   * @throws EngineError
   */
  async start(
    { name, handler }: ActionDefinition,
    input: Readonly<Record<string, unknown>>,
    session: AskingSession,
  ): Promise<string> {
    const kept = keptHeaders(session.clientHeaders ?? {}, {
      forward: handler.forwardClientHeaders,
      ignored: handler.ignoredClientHeaders,
    });
    // The call goes on with the trace of the request, whoever makes it.
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
   * @returns `undefined`: there is none, or it is none of the session's
   * @throws EngineError `data-exception` for what is no id
   */
  async find({ name }: ActionDefinition, id: unknown, session: AskingSession): Promise<LoggedCall | undefined> {
    const variables = session.role === "admin" ? null : storedVariables(session.variables);
    const [row] = await this.#database.query(findStatement, [String(id), name, variables]);
    if (row === undefined) return undefined;
    return {
      id: String(row.id),
      createdAt: String(parseAnswer(String(row.created_at))),
      hasEnded: row.has_ended === true,
      output: jsonOf(row.output),
      errors: jsonOf(row.errors),
    };
  }

  /** Deletes calls that ended so many hours ago, in batches. @returns how many */
  async clear(olderThanHours: number, batchSize: number): Promise<number> {
    let total = 0;
    for (;;) {
      const deleted = (await this.#database.query(clearStatement, [olderThanHours, batchSize])).length;
      total += deleted;
      if (deleted < batchSize) return total;
    }
  }
}

const jsonOf = (text: unknown): unknown => (typeof text === "string" ? parseStored(text) : null);
