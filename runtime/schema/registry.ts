/**
 * The types of one schema that were asked for so far, by name. Sources can have types of the same name: within a
 * source a name means one type, so that what is planned for one never reads the columns of another.
 */

import type { RemoteSchema } from "../definitions/remote/remote-schema.ts";
import type { ScalarType } from "../definitions/scalar-type.ts";
import type { SourceDefinition } from "../definitions/table.ts";
import type { TableView } from "../definitions/view.ts";
import type { RelayCipher } from "../relay/cipher.ts";
import { invariant } from "../values/errors.ts";
import { lazy } from "../values/lazy.ts";
import type { RemoteTypes } from "./remote-type-set.ts";
import type { AbstractTypeDef, InputTypeDef, ObjectTypeDef, ScalarTypeDef } from "./types.ts";

type TypeDef = ObjectTypeDef | AbstractTypeDef | InputTypeDef;

export interface TypeRegistryOptions {
  /** Whether a type that was asked for is given again; absent: it is. */
  readonly keeps?: boolean;
  readonly backendOnly?: boolean;
  readonly relay?: RelayTables | null;
  /** What a gateway of Apollo federation can ask for. */
  readonly entities?: readonly (() => TableView)[];
  /** Makes the types of a remote server, which the schema asks for once. */
  readonly remoteTypes?: (types: TypeRegistry, remote: RemoteSchema) => RemoteTypes;
}

/** The tables of a Relay schema. */
export interface RelayTables {
  /** Those whose rows have global ids. */
  readonly nodes: () => readonly TableView[];
  /** What ids and cursors are encrypted with; `null`: there is no key. */
  readonly cipher: RelayCipher | null;
  /** Names in the database, of which global ids are made. */
  readonly nameOf: (view: TableView) => { readonly schema: string; readonly table: string };
}

export class TypeRegistry {
  readonly #types = new Map<string, TypeDef>();
  /** Whether asking twice for a type gives the same object. Who walks all types of a large schema has no room for them. */
  readonly keeps: boolean;
  /** What there is in the Relay schema besides; `null`: these are the types of another schema. */
  readonly relay: RelayTables | null;
  readonly entities: () => ReadonlySet<TableView>;
  readonly #backendOnly: boolean;
  readonly #remotes = new Map<RemoteSchema, RemoteTypes>();
  readonly #remoteTypes: TypeRegistryOptions["remoteTypes"];

  /** @param options `backendOnly`: the schema has what only backends may use, too (`permissions-and-auth.md` 11) */
  constructor(options: TypeRegistryOptions = {}) {
    const { keeps = true, backendOnly = false, relay = null, entities = [], remoteTypes } = options;
    this.keeps = keeps;
    this.#backendOnly = backendOnly;
    this.#remoteTypes = remoteTypes;
    this.relay = relay;
    this.entities = lazy(() => new Set(entities.map((view) => view())));
  }

  /** Whether a permission, if there is one, is in the schema. */
  allows<T extends { readonly backendOnly: boolean }>(permission: T | undefined): permission is T {
    return permission !== undefined && (this.#backendOnly || !permission.backendOnly);
  }

  /** The types that are a source's own. */
  of({ name: source }: SourceDefinition): Pick<TypeRegistry, "get"> {
    return { get: (name, make) => this.get(`${source} ${name}`, make) };
  }

  /** The type of that name; `make` makes it when it is first asked for, or each time where types are not kept. */
  get<T extends TypeDef>(name: string, make: () => T): T {
    if (!this.keeps) return make();
    let type = this.#types.get(name);
    if (!type) {
      type = make();
      this.#types.set(name, type);
    }
    return type as T;
  }

  /** The types of a remote server, with what is joined to its objects. */
  remote(remote: RemoteSchema): RemoteTypes {
    let types = this.#remotes.get(remote);
    if (types === undefined) {
      invariant(this.#remoteTypes, "the schema has remote types");
      types = this.#remoteTypes(this, remote);
      this.#remotes.set(remote, types);
    }
    return types;
  }

  scalar(name: string): ScalarTypeDef {
    return this.get<ScalarTypeDef>(name, () => ({ kind: "scalar", name }));
  }

  /** The scalar of a column or operand, or the enum that it takes its values from; of an array, that of its elements. */
  scalarOf({ graphql: name, enumeration }: ScalarType): ScalarTypeDef {
    if (!enumeration) return this.scalar(name);
    return this.get<ScalarTypeDef>(name, () => ({ kind: "scalar", name, enumeration }));
  }
}
