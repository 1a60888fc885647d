/** The types of a remote schema for a role, parsed from the SDL of its definition on first use. */

import { invariant } from "../../values/errors.ts";
import { lazy } from "../../values/lazy.ts";
import { type RemoteSchema, upstreamField } from "../definitions/remote/remote-schema.ts";
import type { ToRemoteSchema } from "../definitions/remote-relationship.ts";
import type { RemoteRoot } from "../definitions/roots.ts";
import { joinFields } from "./join-types.ts";
import { rowTypes } from "./output-types.ts";
import { TypeRegistry } from "./registry.ts";
import { remainingInput, remoteJoinFields } from "./remote-join-types.ts";
import type { NamedField, RemoteOperation, RemoteTypes } from "./remote-type-set.ts";
import { builtInScalars, SdlTypes } from "./sdl-types.ts";
import type { AbstractTypeDef, InputObjectTypeDef, InputTypeDef, ObjectTypeDef, OutputField } from "./types.ts";

class SdlRemoteTypes implements RemoteTypes {
  readonly #remote: RemoteSchema;
  readonly #types: SdlTypes;

  constructor(types: TypeRegistry, remote: RemoteSchema) {
    this.#remote = remote;
    const { relationships } = remote;
    const joined = function* (type: string): Iterable<NamedField> {
      const own = ownValue(relationships, type);
      if (own === undefined) return;
      yield* joinFields(types, own, rowTypes);
      yield* remoteJoinFields(types, own, type);
    };
    this.#types = new SdlTypes(remote.document(), { kind: "remote_member" }, joined);
  }

  rootField(operation: RemoteOperation, name: string, root: RemoteRoot): OutputField {
    const type = this.#remote[operation] ?? "";
    const field = this.#types.fieldsOf(type).find((each) => each.name.value === name);
    invariant(field, `${type} has a field ${name}`);
    return this.#types.field(field, { kind: "remote", root, remote: () => this.#remote, type });
  }

  namespace(operation: RemoteOperation, root: RemoteRoot): ObjectTypeDef {
    const name = this.#remote[operation] ?? "";
    const type = this.#types.outputType(name);
    invariant(type.kind === "object", `the remote schema has a type for each ${operation}`);
    const own = lazy(() => {
      const fields = [...type.fields().keys()].map((field) => [field, this.rootField(operation, field, root)] as const);
      return new Map(fields);
    });
    return { ...type, fields: own };
  }

  upstreamField(type: string, name: string): NamedField | undefined {
    for (const [own, field] of this.#types.composite(type)?.fields() ?? []) {
      if (field.meta.kind === "remote_member" && upstreamField(this.#remote, type, own) === name) return [own, field];
    }
    return undefined;
  }

  composite(name: string): ObjectTypeDef | AbstractTypeDef | undefined {
    return this.#types.composite(name);
  }

  input(name: string): InputTypeDef | undefined {
    return this.#types.input(name);
  }
}

/** Returns the types of a remote schema in one schema. */
export const remoteTypes = (types: TypeRegistry, remote: RemoteSchema): RemoteTypes =>
  new SdlRemoteTypes(types, remote);

const inputTypes = new WeakMap<RemoteSchema, SdlTypes>();

/** Returns the input type with this name for a role, without building a schema. */
export function remoteInputType(remote: RemoteSchema, name: string): InputTypeDef | undefined {
  // Avoids parsing the SDL.
  if (builtInScalars.has(name)) return { kind: "scalar", name };
  let types = inputTypes.get(remote);
  if (types === undefined) {
    types = new SdlTypes(remote.document(), { kind: "remote_member" });
    inputTypes.set(remote, types);
  }
  return types.input(name);
}

/** Returns the same type as `remainingInput`, without building a schema. */
export function remainingInputType(join: ToRemoteSchema, within: readonly string[], name: string): InputObjectTypeDef {
  return remainingInput(new TypeRegistry({ remoteTypes }), join, within, name);
}

function ownValue<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record && Object.hasOwn(record, key) ? record[key] : undefined;
}
