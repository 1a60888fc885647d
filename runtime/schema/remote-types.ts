/** The types of a remote server as a role sees them: read from the SDL of its definition, each when it is asked for. */
import type { RemoteSchema } from "../definitions/remote/remote-schema.ts";
import type { RemoteRoot } from "../definitions/roots.ts";
import { invariant } from "../values/errors.ts";
import { lazy } from "../values/lazy.ts";
import { SdlTypes } from "./sdl-types.ts";
import type { AbstractTypeDef, InputTypeDef, ObjectTypeDef, OutputField } from "./types.ts";

export type RemoteOperation = "query" | "mutation" | "subscription";

export class RemoteTypes {
  readonly #remote: RemoteSchema;
  readonly #types: SdlTypes;

  constructor(remote: RemoteSchema) {
    this.#remote = remote;
    this.#types = new SdlTypes(remote.document(), { kind: "remote_member" });
  }

  /** A field of the type that operations begin with. */
  rootField(operation: RemoteOperation, name: string, root: RemoteRoot): OutputField {
    const type = this.#remote[operation] ?? "";
    const field = this.#types.fieldsOf(type).find((each) => each.name.value === name);
    invariant(field, `${type} has a field ${name}`);
    return this.#types.field(field, { kind: "remote", root, remote: () => this.#remote, type });
  }

  /** The type that operations begin with, where its fields stand below a field of their own. */
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

  /** The type that the role knows by this name, where it has fields or stands for types that have. */
  composite(name: string): ObjectTypeDef | AbstractTypeDef | undefined {
    return this.#types.composite(name);
  }

  /** The type that the role knows by this name, where values of it can be given. */
  input(name: string): InputTypeDef | undefined {
    return this.#types.input(name);
  }
}

const known = new WeakMap<RemoteSchema, RemoteTypes>();

/** The types of a definition, which are made once. */
export function remoteTypes(remote: RemoteSchema): RemoteTypes {
  let types = known.get(remote);
  if (types === undefined) {
    types = new RemoteTypes(remote);
    known.set(remote, types);
  }
  return types;
}
