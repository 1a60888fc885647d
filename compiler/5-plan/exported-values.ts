/** Finds the exports of loaded modules that hold the values in a plan, so that the plan's module can import them. */
import type { ActionDefinition } from "../../runtime/model/definitions/actions/action.ts";
import type { RemoteSchema } from "../../runtime/model/definitions/remote/remote-schema.ts";
import type { ToRemoteSchema } from "../../runtime/model/definitions/remote-relationship.ts";

/** Path and exports of a loaded module. */
export type UsedModule = readonly [path: string, exports: Readonly<Record<string, unknown>>];

/** An export of a generated module. */
export interface ExportIr {
  readonly path: string;
  readonly name: string;
  /** The preferred local name in modules that import it. */
  readonly as: string;
}

/** A relationship to a remote schema, as a member of an export. */
export interface RelationshipRefIr {
  readonly from: ExportIr;
  /** The type of its left side, by the name that the role sees; absent if the left side is a table. */
  readonly type?: string;
  readonly name: string;
}

export class ExportedValues {
  readonly #modules: () => Iterable<UsedModule>;
  readonly #remotes = new Map<RemoteSchema, ExportIr>();
  readonly #actions = new Map<ActionDefinition, ExportIr>();
  readonly #relationships = new Map<ToRemoteSchema, RelationshipRefIr>();

  /** @param modules returns the modules that planning has used so far */
  constructor(modules: () => Iterable<UsedModule>) {
    this.#modules = modules;
  }

  /** Returns the export of a remote schema, if any. */
  remote(remote: RemoteSchema): ExportIr | undefined {
    return findOnce(this.#remotes, remote, () => this.#exportOf(remote, remote.server.name));
  }

  /** Returns the export of an action, if any. */
  action(action: ActionDefinition): ExportIr | undefined {
    return findOnce(this.#actions, action, () => this.#exportOf(action, action.name));
  }

  /** Returns a reference to a relationship if it is a member of an export. */
  relationship(join: ToRemoteSchema): RelationshipRefIr | undefined {
    return findOnce(this.#relationships, join, () => {
      for (const [from, value] of this.#exports()) {
        const { remoteRelationships: ofRows, relationships: ofTypes, server } = membersOf(value);
        const name = nameIn(ofRows, join);
        if (name !== undefined) return { from: { ...from, as: from.name }, name };
        for (const [type, own] of Object.entries(membersOf(ofTypes))) {
          const name = nameIn(own, join);
          const { name: remote } = membersOf(server);
          if (name !== undefined) return { from: { ...from, as: String(remote) }, type, name };
        }
      }
      return undefined;
    });
  }

  #exportOf(wanted: unknown, as: string): ExportIr | undefined {
    for (const [from, value] of this.#exports()) if (value === wanted) return { ...from, as };
    return undefined;
  }

  /** Yields the exports in the order of paths, so that the result does not depend on the order of loading. */
  *#exports(): Iterable<readonly [Omit<ExportIr, "as">, unknown]> {
    const modules = [...this.#modules()].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [path, exports] of modules) {
      for (const [name, value] of Object.entries(exports)) yield [{ path, name }, value];
    }
  }
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const nameIn = (relationships: unknown, join: ToRemoteSchema): string | undefined =>
  Object.entries(membersOf(relationships)).find(([, each]) => each === join)?.[0];

/** Memoizes successful searches only: the module of a missing value may be loaded later. */
function findOnce<Value, Found>(
  cache: Map<Value, Found>,
  value: Value,
  find: () => Found | undefined,
): Found | undefined {
  const cached = cache.get(value);
  if (cached !== undefined) return cached;
  const found = find();
  if (found !== undefined) cache.set(value, found);
  return found;
}
