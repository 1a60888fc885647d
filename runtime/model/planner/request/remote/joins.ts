/**
 * Joins to objects of a remote schema. Instead of each joined value, the upstream request selects the object's
 * `__typename`, and its keys as hidden members.
 */
import { type DocumentNode, type FieldNode, visit } from "graphql";
import { EngineError } from "../../../../values/errors.ts";
import { type RemoteSchema, upstreamType } from "../../../definitions/remote/remote-schema.ts";
import type { JoinKey } from "../../../definitions/remote-relationship.ts";
import type { OutputField } from "../../../schema/types.ts";
import type { SelectedField, SelectedJoin, SelectedPlace, SelectedPlaces } from "../selected-field.ts";
import type { RemoteField } from "./remote-request.ts";

/** A field of a remote object type that another source or remote schema resolves. */
export interface JoinedField {
  /** Object type that has the field, in the role's schema. */
  readonly type: string;
  readonly key: string;
  readonly name: string;
  readonly field: OutputField;
  readonly keys: readonly JoinKey[];
  readonly path: string;
}

/** A joined field with all its selections. */
export interface JoinedNodes extends JoinedField {
  readonly nodes: FieldNode[];
}

/** The joins of one object and of nested objects. */
export class SelectedJoins {
  readonly #remote: RemoteSchema;
  readonly #prefix: string;
  /** Joined fields by response key and type. */
  readonly #fields = new Map<string, Map<string, JoinedNodes>>();
  /** Response keys of fields that are not joined. */
  readonly #others = new Set<string>();
  readonly #below = new Map<string, SelectedJoins>();

  /**
   * Creates an empty set of joins.
   * @param prefix prefix of hidden members; no response key of the request starts with it
   */
  constructor(remote: RemoteSchema, prefix: string) {
    this.#remote = remote;
    this.#prefix = prefix;
  }

  below(key: string): SelectedJoins {
    let found = this.#below.get(key);
    if (found === undefined) {
      found = new SelectedJoins(this.#remote, this.#prefix);
      this.#below.set(key, found);
    }
    return found;
  }

  /**
   * Adds a field that is not joined.
   * @throws EngineError if its response key is also that of a joined field
   */
  addOther(key: string, path: string): void {
    this.#others.add(key);
    this.#check(key, path);
  }

  /**
   * Adds a joined field.
   * @returns the fields that replace the joined field in the upstream request
   */
  add(joined: JoinedField, node: FieldNode): readonly RemoteField[] {
    const { key, type, path } = joined;
    const types = this.#fields.get(key) ?? new Map<string, JoinedNodes>();
    this.#fields.set(key, types);
    const known = types.get(type);
    if (known === undefined) types.set(type, { ...joined, nodes: [node] });
    else if (known.name === joined.name) known.nodes.push(node);
    else {
      const message = `selection of both '${known.name}' and '${joined.name}' specify the same response name, '${key}'`;
      throw new EngineError("validation-failed", path, message);
    }
    this.#check(key, path);
    return [leaf(key, "__typename"), ...joined.keys.map((each) => leaf(...this.#member(type, each)))];
  }

  /**
   * Returns the locations of the joins in the upstream value.
   * @param select reads a joined field
   */
  places(select: (field: JoinedNodes) => SelectedField): SelectedPlaces {
    const places = new Map<string, SelectedPlace>();
    for (const [key, types] of this.#fields) {
      const selected = new Map<string, SelectedJoin>();
      for (const [type, joined] of types) {
        const members = joined.keys.map((each) => this.#member(type, each)[0]);
        for (const member of members) places.set(member, { kind: "hidden" });
        selected.set(upstreamType(this.#remote, type), { field: select(joined), members });
      }
      places.set(key, { kind: "typed", types: selected });
    }
    for (const [key, below] of this.#below) {
      const inner = below.places(select);
      if (inner.size > 0) places.set(key, { kind: "below", places: inner });
    }
    return places;
  }

  /** Returns the hidden member for a key; the role need not have the field. */
  #member(type: string, { name }: JoinKey): readonly [key: string, name: string] {
    return [`${this.#prefix}${type}_${name}`, name];
  }

  #check(key: string, path: string): void {
    if (!this.#others.has(key) || !this.#fields.has(key)) return;
    const message = `'${key}' names both a relationship and another field: give one of them an alias`;
    throw new EngineError("validation-failed", path, message);
  }
}

const leaf = (key: string, name: string): RemoteField => ({
  kind: "field",
  key,
  name,
  args: [],
  selection: null,
  lists: 0,
});

const prefixes = new WeakMap<DocumentNode, string>();

/** Returns a prefix that no alias of a document starts with. */
export function freePrefix(document: DocumentNode): string {
  let prefix = prefixes.get(document);
  if (prefix === undefined) {
    const aliases: string[] = [];
    visit(document, { Field: ({ alias }) => void (alias && aliases.push(alias.value)) });
    prefix = "_join_";
    while (aliases.some((alias) => alias.startsWith(prefix ?? ""))) prefix += "_";
    prefixes.set(document, prefix);
  }
  return prefix;
}
