/**
 * What a remote schema brings must not be there already (`automation.md` E.3): root fields of sources, actions and other
 * remote schemas, and types of other remote schemas under the same name but with another meaning.
 */

import type { Catalog } from "../../catalog/catalog.ts";
import { type RemoteRoot, type RemoteShape, remoteRoots } from "../../shape/remote-shape.ts";
import type { AnalysisOptions, AnalyzedSource } from "../analysis.ts";
import { reject, rejectWithCode } from "../rejection.ts";
import type { RemoteNames } from "../remote-names.ts";
import { describeRemoteType, remoteRootFields } from "./remote-names.ts";
import { rootFieldNames } from "./root-fields.ts";

/** Names that are taken, filled with those of each remote schema that is let in. */
export class TakenNames {
  readonly #ofSources: () => Readonly<Record<RemoteRoot, ReadonlySet<string>>>;
  readonly #fields: Record<RemoteRoot, Set<string>> = {
    query: new Set(),
    mutation: new Set(),
    subscription: new Set(),
  };
  /** Definitions by name. */
  readonly #types = new Map<string, string>();

  constructor(sources: ReadonlyMap<string, AnalyzedSource>, catalog: Catalog, options: AnalysisOptions) {
    let found: Readonly<Record<RemoteRoot, ReadonlySet<string>>> | undefined;
    this.#ofSources = () => {
      found ??= {
        query: rootFieldNames("query", sources, catalog.actions, options),
        mutation: rootFieldNames("mutation", sources, catalog.actions, options),
        subscription: rootFieldNames("subscription", sources, catalog.actions, options),
      };
      return found;
    };
  }

  /** @throws Rejection; then nothing is taken */
  take(shape: RemoteShape, names: RemoteNames): void {
    const fields = new Map(remoteRoots.map((root) => [root, remoteRootFields(shape, names, root)]));
    for (const [root, own] of fields) {
      for (const field of own) {
        if (this.#fields[root].has(field)) {
          rejectWithCode("remote-schema-conflicts", `Duplicate remote field '${field}'`);
        }
        if (this.#ofSources()[root].has(field)) reject(`Field cannot be overwritten by remote field '${field}'`);
      }
    }
    const types = this.#typesOf(shape, names);
    for (const [root, own] of fields) for (const field of own) this.#fields[root].add(field);
    for (const [name, definition] of types) this.#types.set(name, definition);
  }

  #typesOf(shape: RemoteShape, names: RemoteNames): ReadonlyMap<string, string> {
    const types = new Map<string, string>();
    for (const type of shape.types.values()) {
      // Root types are not merged as types: their fields are.
      if (remoteRoots.some((root) => shape[root] === type.name)) continue;
      const name = names.types.get(type.name) ?? type.name;
      const definition = describeRemoteType(type, names);
      const other = this.#types.get(name);
      if (other !== undefined && other !== definition) {
        reject(`Conflicting types: Found conflicting definitions for GraphQL type '${name}'.`);
      }
      types.set(name, definition);
    }
    return types;
  }
}
