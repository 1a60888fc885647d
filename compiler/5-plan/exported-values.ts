/** Where values of loaded modules can be imported from: what a plan refers to instead of saying it again. */
import type { ActionDefinition } from "../../runtime/model/definitions/actions/action.ts";
import type { RemoteSchema } from "../../runtime/model/definitions/remote/remote-schema.ts";
import type { ToRemoteSchema } from "../../runtime/model/definitions/remote-relationship.ts";

/** A loaded module by its path, with what it exports. */
export type UsedModule = readonly [path: string, exports: Readonly<Record<string, unknown>>];

/** What a module exports. */
export interface ExportIr {
  readonly path: string;
  readonly name: string;
  /** What it is about: the name that it should have elsewhere. */
  readonly as: string;
}

/** A relationship to a remote schema, as a member of what a module exports. */
export interface RelationshipRefIr {
  readonly from: ExportIr;
  /** Of a remote schema: the type whose objects it starts from, as the role calls it; absent: rows of a table. */
  readonly type?: string;
  readonly name: string;
}

export class ExportedValues {
  readonly #modules: () => Iterable<UsedModule>;
  readonly #remotes = new Map<RemoteSchema, ExportIr>();
  readonly #actions = new Map<ActionDefinition, ExportIr>();
  readonly #relationships = new Map<ToRemoteSchema, RelationshipRefIr>();

  /** @param modules those that planning has used so far */
  constructor(modules: () => Iterable<UsedModule>) {
    this.#modules = modules;
  }

  /** `undefined`: no module exports it. */
  remote(remote: RemoteSchema): ExportIr | undefined {
    return known(this.#remotes, remote, () => this.#exportOf(remote, remote.server.name));
  }

  /** `undefined`: no module exports it. */
  action(action: ActionDefinition): ExportIr | undefined {
    return known(this.#actions, action, () => this.#exportOf(action, action.name));
  }

  /** `undefined`: it is a member of nothing that is exported. */
  relationship(join: ToRemoteSchema): RelationshipRefIr | undefined {
    return known(this.#relationships, join, () => {
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

  /** In an order that does not depend on what was loaded first. */
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

/** Found once; what was not found may be used later. */
function known<Value, Found>(found: Map<Value, Found>, value: Value, find: () => Found | undefined): Found | undefined {
  const before = found.get(value);
  if (before !== undefined) return before;
  const now = find();
  if (now !== undefined) found.set(value, now);
  return now;
}
