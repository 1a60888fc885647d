/** Identifies an operation in metrics, traces and query tags by its name and a hash of its text without values. */
import { createHash } from "node:crypto";
import { Kind, print, visit } from "graphql";
import type { Operation } from "../model/planner/request/document.ts";
import type { OperationIdentity } from "../ports/metrics.ts";

const identities = new WeakMap<Operation, OperationIdentity>();

/** Limit in characters; longer names are truncated. */
const maxNameLength = 100;

/** Returns the identity of an operation, which is computed only once for each cached operation. */
export function identityOf(operation: Operation): OperationIdentity {
  let identity = identities.get(operation);
  if (identity === undefined) {
    const name = operation.definition.name?.value ?? "";
    identity = { operation_name: name.slice(0, maxNameLength), parameterized_query_hash: hashOf(operation) };
    identities.set(operation, identity);
  }
  return identity;
}

function hashOf({ definition, fragments }: Operation): string {
  const texts = [definition, ...fragments.values()].map((node) => print(visit(node, withoutValues)));
  return createHash("sha256").update(texts.join("\n")).digest("hex").slice(0, 40);
}

/** Replaces values, which may be private. Enum values remain, because they are names of the schema. */
const withoutValues = {
  [Kind.INT]: () => nullValue,
  [Kind.FLOAT]: () => nullValue,
  // Operations that differ only in descriptions have the same hash. `description` is a member of the syntax tree here,
  // never the name of an argument.
  [Kind.STRING]: (_: unknown, key: string | number | undefined) => (key === "description" ? null : nullValue),
  [Kind.BOOLEAN]: () => nullValue,
  // Lists of different lengths have the same hash.
  [Kind.LIST]: () => nullValue,
};

const nullValue = { kind: Kind.NULL } as const;
