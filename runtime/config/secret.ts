/** Secret option values, which are printed, logged and serialized as a placeholder. */
import { inspect } from "node:util";

export const redacted = "<redacted>";

export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Returns the secret. Keep it out of messages and logs. */
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
