/**
 * What a request joins to objects that a remote server answers. The server is asked for the type of the object in the place
 * of the value, and for the keys as hidden members beside it.
 */
import { type DocumentNode, type FieldNode, visit } from "graphql";
import { EngineError } from "../../../../values/errors.ts";
import { type RemoteSchema, upstreamType } from "../../../definitions/remote/remote-schema.ts";
import type { JoinKey } from "../../../definitions/remote-relationship.ts";
import type { OutputField } from "../../../schema/types.ts";
import type { SelectedField, SelectedJoin, SelectedPlace, SelectedPlaces } from "../selected-field.ts";
import type { RemoteField } from "./remote-request.ts";

/** A field of an object type that something else than its server answers. */
export interface JoinedField {
  /** The type that it is a field of, as the role calls it. */
  readonly type: string;
  readonly key: string;
  readonly name: string;
  readonly field: OutputField;
  readonly keys: readonly JoinKey[];
  readonly path: string;
}

/** With what a request says of it, wherever it stands. */
export interface JoinedNodes extends JoinedField {
  readonly nodes: FieldNode[];
}

/** The joins in one object, and in what stands below. */
export class SelectedJoins {
  readonly #remote: RemoteSchema;
  readonly #prefix: string;
  /** By key and type. */
  readonly #fields = new Map<string, Map<string, JoinedNodes>>();
  /** Keys of other fields. */
  readonly #others = new Set<string>();
  readonly #below = new Map<string, SelectedJoins>();

  /** @param prefix of the hidden members, which no key of the request begins with */
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

  /** Another field. @throws EngineError where its key stands for a joined one, too */
  addOther(key: string, path: string): void {
    this.#others.add(key);
    this.#check(key, path);
  }

  /** @returns what the server is asked for instead */
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

  /** @param select reads what a request says of a field */
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

  /** The role need not see the field. */
  #member(type: string, { name }: JoinKey): readonly [key: string, name: string] {
    return [`${this.#prefix}${type}_${name}`, name];
  }

  #check(key: string, path: string): void {
    if (!this.#others.has(key) || !this.#fields.has(key)) return;
    const message = `'${key}' stands for a relationship and for another field: give one of them an alias of its own`;
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

/** What no alias of a document begins with. */
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
