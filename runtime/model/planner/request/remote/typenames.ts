/** Where a request to a remote server selects `__typename`, and whether the role knows the names that come. */

import { EngineError } from "../../../../values/errors.ts";
import type { RemoteSchema } from "../../../definitions/remote/remote-schema.ts";
import type { AbstractTypeDef, ObjectTypeDef } from "../../../schema/types.ts";
import type { TypenamePlaces } from "./remote-request.ts";

/** The places in one object, and in what stands below. */
export class Typenames {
  readonly #remote: RemoteSchema;
  /** By key: what stands for a type that the role does not know. */
  readonly #names = new Map<string, string>();
  /** Keys of other fields. */
  readonly #others = new Set<string>();
  readonly #below = new Map<string, Typenames>();

  constructor(remote: RemoteSchema) {
    this.#remote = remote;
  }

  below(key: string): Typenames {
    let found = this.#below.get(key);
    if (found === undefined) {
      found = new Typenames(this.#remote);
      this.#below.set(key, found);
    }
    return found;
  }

  /**
   * @param scope the type that `__typename` is selected on; `undefined`: it is another field
   * @throws EngineError where a key stands for both, and the name has to be told from other values
   */
  add(key: string, scope: ObjectTypeDef | AbstractTypeDef | undefined, path: string): void {
    const { typeNames, isPart } = this.#remote;
    if (scope === undefined) this.#others.add(key);
    // What an object is called is known, unless the role calls it otherwise than the server.
    else if (typeNames !== undefined || (isPart && scope.kind !== "object")) this.#names.set(key, scope.name);
    if (!this.#names.has(key) || !this.#others.has(key)) return;
    const message = `'${key}' stands for '__typename' and for another field: give one of them an alias of its own`;
    throw new EngineError("validation-failed", path, message);
  }

  places(): TypenamePlaces {
    const places = new Map<string, { readonly unknown: string } | TypenamePlaces>();
    for (const [key, unknown] of this.#names) places.set(key, { unknown });
    for (const [key, inner] of this.#below) {
      const found = inner.places();
      if (found.size > 0) places.set(key, found);
    }
    return places;
  }
}
