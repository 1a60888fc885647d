/** Locations of `__typename` in an upstream request whose names must be translated for the role. */

import { EngineError } from "../../../../values/errors.ts";
import type { RemoteSchema } from "../../../definitions/remote/remote-schema.ts";
import type { AbstractTypeDef, ObjectTypeDef } from "../../../schema/types.ts";
import type { TypenamePlaces } from "./remote-request.ts";

/** The locations in one object and in nested objects. */
export class Typenames {
  readonly #remote: RemoteSchema;
  /** By response key: the name for types that the role does not have. */
  readonly #names = new Map<string, string>();
  /** Response keys of other fields. */
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
   * Adds a field.
   * @param scope the type that `__typename` is selected on; `undefined` for other fields
   * @throws EngineError if a translated `__typename` and another field have the same response key
   */
  add(key: string, scope: ObjectTypeDef | AbstractTypeDef | undefined, path: string): void {
    const { typeNames, isPart } = this.#remote;
    if (scope === undefined) this.#others.add(key);
    // Names of object types need no translation unless the role's names differ.
    else if (typeNames !== undefined || (isPart && scope.kind !== "object")) this.#names.set(key, scope.name);
    if (!this.#names.has(key) || !this.#others.has(key)) return;
    const message = `'${key}' names both '__typename' and another field: give one of them an alias`;
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
