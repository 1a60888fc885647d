/**
 * The types of one schema that were asked for so far, by name. Sources can have types of the same name: within a
 * source a name means one type, so that what is planned for one never reads the columns of another.
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
  /** Which types that were asked for are given again; absent: all. */
  readonly keeps?: KeptTypes;
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

/** Who walks all types of a large schema has no room for them, but meets the same ones again and again meanwhile. */
export type KeptTypes = "all" | "latest";

/** How many are the latest: those of a table, and as many before them. The more there are, the longer is a garbage collection. */
const latest = 24;

/** Types by name. */
class TypesByName {
  readonly #most: number;
  #types = new Map<string, TypeDef>();
  #before = new Map<string, TypeDef>();

  constructor(keeps: KeptTypes) {
    this.#most = keeps === "all" ? Number.POSITIVE_INFINITY : latest;
  }

  /** The type of that name; `make` makes it when it is first asked for, or again. */
  get<T extends TypeDef>(name: string, make: () => T): T {
    let type = this.#types.get(name) ?? this.#before.get(name);
    if (type === undefined) {
      type = make();
      if (this.#types.size >= this.#most) {
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
  /** What there is in the Relay schema besides; `null`: these are the types of another schema. */
  readonly relay: RelayTables | null;
  readonly entities: () => ReadonlySet<TableView>;
  readonly #backendOnly: boolean;
  readonly #remotes = new Map<RemoteSchema, RemoteTypes>();
  readonly #remoteTypes: TypeRegistryOptions["remoteTypes"];

  /** @param options `backendOnly`: the schema has what only backends may use, too (`permissions-and-auth.md` 11) */
  constructor(options: TypeRegistryOptions = {}) {
    const { keeps = "all", backendOnly = false, relay = null, entities = [], remoteTypes } = options;
    this.keeps = keeps;
    this.#types = new TypesByName(keeps);
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
  of({ name: source }: Pick<SourceDefinition, "name">): Pick<TypeRegistry, "get"> {
    let types = this.#ofSources.get(source);
    if (types === undefined) {
      types = new TypesByName(this.keeps);
      this.#ofSources.set(source, types);
    }
    return types;
  }

  /** The type of that name, of no source; `make` makes it when it is first asked for, or again. */
  get<T extends TypeDef>(name: string, make: () => T): T {
    return this.#types.get(name, make);
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
  scalarOf({ graphql: name, enumeration, acceptsNames }: ScalarType): ScalarTypeDef {
    if (enumeration) return this.get<ScalarTypeDef>(name, () => ({ kind: "scalar", name, enumeration }));
    if (acceptsNames) return this.get<ScalarTypeDef>(name, () => ({ kind: "scalar", name, acceptsNames }));
    return this.scalar(name);
  }
}
