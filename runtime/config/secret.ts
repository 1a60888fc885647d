/** Values of options that must not be shown: they print, log and serialise as a placeholder. */
import { inspect } from "node:util";

export const redacted = "<redacted>";

export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself; keep what you get out of messages and logs. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return redacted;
  }

  toJSON(): string {
    return redacted;
  }

  [inspect.custom](): string {
    return redacted;
  }
}
