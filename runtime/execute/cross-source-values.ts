/**
 * Reads cross-source values: values of other sources that row filters compare with. They are read for each request
 * before the statements that use them, so that permissions always apply to current data.
 */

import { Deadline } from "../databases/sources/deadline.ts";
import { maxCrossSourceValues, valueMember } from "../model/definitions/cross-source-values.ts";
import { bind, type CrossSourceSlot, unquoted } from "../model/definitions/parameters.ts";
import type { Caller } from "../values/caller.ts";
import { EngineError } from "../values/errors.ts";
import { itemsOf, memberOf } from "../values/json/positions.ts";
import type { Session } from "../values/session.ts";
import { crossSourceSlotsIn } from "./cross-source-slots.ts";
import type { Generation } from "./generation.ts";
import { statementName } from "./prepared-writes.ts";
import { routedSource } from "./route.ts";

/**
 * Returns the session with the values that the slots need.
 * @throws EngineError
 */
export async function bindCrossSourceValues<S extends Session>(
  session: S,
  slots: readonly CrossSourceSlot[],
  generation: Generation,
  caller?: Caller,
): Promise<S> {
  if (slots.length === 0) return session;
  const deadline = Deadline.of(generation.guard.timeLimitMilliseconds(session.role), caller);
  const reader = new CrossSourceReader(session, generation, deadline, caller);
  const values = await Promise.all(slots.map(async (slot) => [slot.key, await reader.values(slot)] as const));
  return { ...session, crossSourceValues: new Map(values) };
}

/**
 * Throws the error, but replaces data errors, because the database's message may contain a value that the role is not
 * allowed to see.
 */
export function hideCrossSourceValues(error: unknown): never {
  if (!(error instanceof EngineError) || error.code !== "data-exception") throw error;
  const message = "a value of the request, or of a permission that refers to another source, has the wrong type";
  throw new EngineError("data-exception", "$", message);
}

class CrossSourceReader {
  readonly #session: Session;
  readonly #generation: Generation;
  readonly #deadline: Deadline | undefined;
  readonly #caller: Caller | undefined;
  readonly #values = new Map<string, Promise<string>>();

  constructor(session: Session, generation: Generation, deadline: Deadline | undefined, caller?: Caller) {
    this.#session = session;
    this.#generation = generation;
    this.#deadline = deadline;
    this.#caller = deadline ?? caller;
  }

  /** Returns the values in the form of a statement parameter. */
  values(slot: CrossSourceSlot): Promise<string> {
    const values = this.#values.get(slot.key) ?? this.#read(slot);
    this.#values.set(slot.key, values);
    return values;
  }

  async #read({ statement: { source: name, text, slots }, form, list }: CrossSourceSlot): Promise<string> {
    const inner = crossSourceSlotsIn(slots);
    const crossSourceValues = new Map<string, string>();
    for (const slot of inner) crossSourceValues.set(slot.key, await this.values(slot));
    const values = bind(slots, { variables: {}, session: this.#session.variables, crossSourceValues });
    const source = routedSource(this.#generation, name, this.#session);
    const statement = { text, name: statementName(text) };
    const timeoutMilliseconds = this.#deadline?.timeoutMilliseconds();
    const options = { readOnly: true, timeoutMilliseconds, caller: this.#caller };
    const rows =
      this.#deadline === undefined
        ? source.query(statement, values, this.#caller)
        : this.#deadline.race(source.executeAlone(options, statement, values));
    const [row] = await rows.catch(hideCrossSourceValues);
    const items = itemsOf(row?.[0] ?? "[]");
    if (items.length > maxCrossSourceValues) throw tooMany();
    const valueIn = (item: string) => memberOf(item, valueMember) ?? "null";
    return list(items.map((item) => (form === "json" ? valueIn(item) : unquoted(valueIn(item)))));
  }
}

const tooMany = (): EngineError =>
  new EngineError(
    "validation-failed",
    "$",
    `a permission compares with more than ${maxCrossSourceValues} values of another source`,
  );
