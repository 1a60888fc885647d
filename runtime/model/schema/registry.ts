/**
 * Cache of the types of one schema, by name. Sources may have types of the same name, so they are cached by source: a
 * plan for one source never reads the columns of another.
 */

import { invariant } from "../../values/errors.ts";
import { lazy } from "../../values/lazy.ts";
import type { RemoteSchema } from "../definitions/remote/remote-schema.ts";
import type { ScalarType } from "../definitions/scalar-type.ts";
import type { SourceDefinition } from "../definitions/table.ts";
import type { TableView } from "../definitions/view.ts";
import type { RelayCipher } from "../relay/cipher.ts";
import type { RemoteTypes } from "./remote-type-set.ts";
import type { AbstractTypeDef, InputTypeDef, ObjectTypeDef, ScalarTypeDef } from "./types.ts";

type TypeDef = ObjectTypeDef | AbstractTypeDef | InputTypeDef;

export interface TypeRegistryOptions {
  /** Cached types; absent: all. */
  readonly keeps?: KeptTypes;
  readonly backendOnly?: boolean;
  readonly relay?: RelayTables | null;
  /** Entities of Apollo Federation. */
  readonly entities?: readonly (() => TableView)[];
  /** Builds the types of a remote schema, which are cached. */
  readonly remoteTypes?: (types: TypeRegistry, remote: RemoteSchema) => RemoteTypes;
}

export interface RelayTables {
  /** Tables whose rows have global ids. */
  readonly nodes: () => readonly TableView[];
  /** Encrypts ids and cursors; `null` without a key. */
  readonly cipher: RelayCipher | null;
  /** Returns the database name of a table, which is part of global ids. */
  readonly nameOf: (view: TableView) => { readonly schema: string; readonly table: string };
}

/**
 * `latest` limits the memory for a traversal of all types of a large schema, which uses the same types repeatedly
 * within a short time.
 */
export type KeptTypes = "all" | "latest";

/**
 * Number of cached types: the types of one table, and as many earlier ones. A larger cache slows garbage collection.
 */
const latestCount = 24;

class TypesByName {
  readonly #limit: number;
  #types = new Map<string, TypeDef>();
  #before = new Map<string, TypeDef>();

  constructor(keeps: KeptTypes) {
    this.#limit = keeps === "all" ? Number.POSITIVE_INFINITY : latestCount;
  }

  /** Returns the type of that name, built by `make` if it is not cached. */
  get<T extends TypeDef>(name: string, make: () => T): T {
    let type = this.#types.get(name) ?? this.#before.get(name);
    if (type === undefined) {
      type = make();
      if (this.#types.size >= this.#limit) {
        this.#before = this.#types;
        this.#types = new Map();
      }
      this.#types.set(name, type);
    }
    return type as T;
  }
}

export class TypeRegistry {
  readonly #types: TypesByName;
  readonly #ofSources = new Map<string, TypesByName>();
  readonly keeps: KeptTypes;
  /** Tables of the Relay schema; `null` for another schema. */
  readonly relay: RelayTables | null;
  readonly entities: () => ReadonlySet<TableView>;
  readonly #backendOnly: boolean;
  readonly #remotes = new Map<RemoteSchema, RemoteTypes>();
  readonly #remoteTypes: TypeRegistryOptions["remoteTypes"];

  /**
   * Creates an empty cache.
   * @param options `backendOnly`: includes permissions for backends
   */
  constructor(options: TypeRegistryOptions = {}) {
    const { keeps = "all", backendOnly = false, relay = null, entities = [], remoteTypes } = options;
    this.keeps = keeps;
    this.#types = new TypesByName(keeps);
    this.#backendOnly = backendOnly;
    this.#remoteTypes = remoteTypes;
    this.relay = relay;
    this.entities = lazy(() => new Set(entities.map((view) => view())));
  }

  /** Returns true if a permission exists and is part of the schema. */
  allows<T extends { readonly backendOnly: boolean }>(permission: T | undefined): permission is T {
    return permission !== undefined && (this.#backendOnly || !permission.backendOnly);
  }

  /** Returns the types of one source. */
  of({ name: source }: Pick<SourceDefinition, "name">): Pick<TypeRegistry, "get"> {
    let types = this.#ofSources.get(source);
    if (types === undefined) {
      types = new TypesByName(this.keeps);
      this.#ofSources.set(source, types);
    }
    return types;
  }

  /** Returns the type of that name that belongs to no source, built by `make` if it is not cached. */
  get<T extends TypeDef>(name: string, make: () => T): T {
    return this.#types.get(name, make);
  }

  /** Returns the types of a remote schema, with remote relationships of its objects. */
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

  /** Returns the scalar of a column or operand, or the enum of its values; for an array, the type of its elements. */
  scalarOf({ graphql: name, enumeration, acceptsNames }: ScalarType): ScalarTypeDef {
    if (enumeration) return this.get<ScalarTypeDef>(name, () => ({ kind: "scalar", name, enumeration }));
    if (acceptsNames) return this.get<ScalarTypeDef>(name, () => ({ kind: "scalar", name, acceptsNames }));
    return this.scalar(name);
  }
}
