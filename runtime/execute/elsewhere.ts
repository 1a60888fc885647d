/**
 * What row filters compare with that other sources have: read before the statements that need it, for each request anew,
 * since a permission holds at the moment of the request.
 */

import { Deadline } from "../databases/sources/deadline.ts";
import { bind, type ElsewhereSlot, unquoted } from "../model/definitions/parameters.ts";
import { mostValuesElsewhere, valueMember } from "../model/definitions/values-elsewhere.ts";
import type { Caller } from "../values/caller.ts";
import { EngineError } from "../values/errors.ts";
import type { Session } from "../values/session.ts";
import { elsewhereIn } from "./elsewhere-slots.ts";
import type { Generation } from "./generation.ts";
import { itemsOf, memberOf } from "./json-text.ts";
import { statementName } from "./prepared-writes.ts";
import { routedSource } from "./route.ts";

/**
 * The session with the values, which whatever is bound for it takes.
 * @throws EngineError
 */
export async function withElsewhere<S extends Session>(
  session: S,
  slots: readonly ElsewhereSlot[],
  generation: Generation,
  caller?: Caller,
): Promise<S> {
  if (slots.length === 0) return session;
  const deadline = Deadline.of(generation.guard.timeLimitMilliseconds(session.role), caller);
  const reading = new Reading(session, generation, deadline, caller);
  const values = await Promise.all(slots.map(async (slot) => [slot.key, await reading.values(slot)] as const));
  return { ...session, elsewhere: new Map(values) };
}

/**
 * What a database says of a value that it cannot compare shows the value, which the role need not be allowed to see.
 */
export function withoutElsewhere(error: unknown): never {
  if (!(error instanceof EngineError) || error.code !== "data-exception") throw error;
  const message = "a value of the request, or of a permission that looks at another source, is of another type";
  throw new EngineError("data-exception", "$", message);
}

class Reading {
  readonly #session: Session;
  readonly #generation: Generation;
  readonly #deadline: Deadline | undefined;
  readonly #caller: Caller | undefined;
  readonly #known = new Map<string, Promise<string>>();

  constructor(session: Session, generation: Generation, deadline: Deadline | undefined, caller?: Caller) {
    this.#session = session;
    this.#generation = generation;
    this.#deadline = deadline;
    this.#caller = deadline ?? caller;
  }

  /** As the statement takes them. */
  values(slot: ElsewhereSlot): Promise<string> {
    const known = this.#known.get(slot.key) ?? this.#read(slot);
    this.#known.set(slot.key, known);
    return known;
  }

  async #read({ statement: { source: name, text, slots }, form, list }: ElsewhereSlot): Promise<string> {
    const inner = elsewhereIn(slots);
    const elsewhere = new Map<string, string>();
    for (const slot of inner) elsewhere.set(slot.key, await this.values(slot));
    const values = bind(slots, { variables: {}, session: this.#session.variables, elsewhere });
    const source = routedSource(this.#generation, name, this.#session);
    const statement = { text, name: statementName(text) };
    const timeoutMilliseconds = this.#deadline?.timeoutMilliseconds();
    const options = { readOnly: true, timeoutMilliseconds, caller: this.#caller };
    const asking =
      this.#deadline === undefined
        ? source.query(statement, values, this.#caller)
        : this.#deadline.race(source.executeAlone(options, statement, values));
    const [row] = await asking.catch(withoutElsewhere);
    const items = itemsOf(row?.[0] ?? "[]");
    if (items.length > mostValuesElsewhere) throw tooMany();
    const read = (item: string) => memberOf(item, valueMember) ?? "null";
    return list(items.map((item) => (form === "json" ? read(item) : unquoted(read(item)))));
  }
}

const tooMany = (): EngineError =>
  new EngineError(
    "validation-failed",
    "$",
    `a permission looks at more than ${mostValuesElsewhere} values of another source`,
  );
