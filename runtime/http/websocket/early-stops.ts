/**
 * The stops that have come and are not handled yet: messages are handled one after the other, and the stop of a slow
 * query would have to wait for its end. A start that is handled, or in progress, while a stop of its id waits comes
 * before that one.
 */
import { EngineError } from "../../values/errors.ts";
import { readClientMessage } from "./client-message.ts";

/** In characters; ids are short, and other messages are not read twice. */
const longestStop = 1024;

export class EarlyStops {
  readonly #counts = new Map<string, number>();

  /** To be called for each message as it comes. */
  notice(text: string): void {
    const id = stoppedBy(text);
    if (id !== undefined) this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
  }

  /** To be called for each message when its turn has come. */
  forget(text: string): void {
    const id = this.#counts.size === 0 ? undefined : stoppedBy(text);
    if (id === undefined) return;
    const left = (this.#counts.get(id) ?? 0) - 1;
    if (left > 0) this.#counts.set(id, left);
    else this.#counts.delete(id);
  }

  has(id: string): boolean {
    return this.#counts.has(id);
  }
}

function stoppedBy(text: string): string | undefined {
  if (text.length > longestStop || !(text.includes('"complete"') || text.includes('"stop"'))) return undefined;
  try {
    const message = readClientMessage(JSON.parse(text));
    return message.kind === "stop" ? message.id : undefined;
  } catch (error) {
    // Said when its turn has come.
    if (error instanceof SyntaxError || error instanceof EngineError) return undefined;
    throw error;
  }
}
