/** Groups remote root fields into upstream requests (`docs/how-to/remote-schemas.md`). */

import { invariant } from "../../values/errors.ts";
import type { RemoteOperation } from "../schema/remote-type-set.ts";
import { type RemotePlan, remotePlan, type SelectedRemote } from "./request/remote/remote-request.ts";

interface RemoteGroup {
  readonly fields: SelectedRemote[];
  /** The root field that contains the fields; absent for root fields. */
  readonly namespace: object | undefined;
  readonly afterWrites: number;
}

/** Each root field has its own request, unless the metadata enables batching. */
export class RemoteRequests {
  readonly #kind: RemoteOperation;
  readonly #name: string | undefined;
  readonly #groups: RemoteGroup[] = [];

  /** @param name of the operation */
  constructor(kind: RemoteOperation, name: string | undefined) {
    this.#kind = kind;
    this.#name = name;
  }

  /**
   * Adds a field and returns the index of its request.
   * @param namespace the root field that contains the field
   * @param afterWrites for mutations: number of preceding fields that write to databases
   */
  add(field: SelectedRemote, namespace: object | undefined, afterWrites = 0): number {
    // Fields of a mutation run in order, so only adjacent fields share a request.
    const candidates = this.#kind === "query" ? this.#groups : this.#groups.slice(-1);
    const known = candidates.find((group) => canJoin(group, field, namespace, afterWrites));
    if (known === undefined) return this.#groups.push({ fields: [field], namespace, afterWrites }) - 1;
    known.fields.push(field);
    return this.#groups.indexOf(known);
  }

  /** Returns an object that identifies a request; all fields of the request share it. */
  origin(request: number): object {
    const group = this.#groups[request];
    invariant(group, "the request was added");
    return group;
  }

  plans(): readonly RemotePlan[] {
    return this.#groups.flatMap(({ fields, afterWrites }) => {
      const [first] = fields;
      if (first === undefined) return [];
      const operation = { kind: this.#kind, fields, ...(this.#name !== undefined && { name: this.#name }) };
      return remotePlan(first.remote, { ...operation, afterWrites });
    });
  }
}

function canJoin(
  group: RemoteGroup,
  { remote, field }: SelectedRemote,
  namespace: object | undefined,
  afterWrites: number,
): boolean {
  if (group.afterWrites !== afterWrites || group.fields[0]?.remote !== remote) return false;
  if (namespace !== undefined && group.namespace === namespace) return true;
  return remote.server.batchRootFields && group.fields.every((other) => other.field.key !== field.key);
}
