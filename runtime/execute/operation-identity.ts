/** What metrics, traces and query tags call an operation: its name, and a hash of its text without values. */
import { createHash } from "node:crypto";
import { Kind, print, visit } from "graphql";
import type { Operation } from "../model/planner/request/document.ts";
import type { OperationIdentity } from "../ports/metrics.ts";

const known = new WeakMap<Operation, OperationIdentity>();

/** In characters of a name: longer ones are cut. */
const longestName = 100;

/** Found out once for each operation that is kept. */
export function identityOf(operation: Operation): OperationIdentity {
  let identity = known.get(operation);
  if (identity === undefined) {
    const name = operation.definition.name?.value ?? "";
    identity = { operation_name: name.slice(0, longestName), parameterized_query_hash: hashOf(operation) };
    known.set(operation, identity);
  }
  return identity;
}

function hashOf({ definition, fragments }: Operation): string {
  const texts = [definition, ...fragments.values()].map((node) => print(visit(node, withoutValues)));
  return createHash("sha256").update(texts.join("\n")).digest("hex").slice(0, 40);
}

/** Values that users may have written into the text; names of enum values are those of the schema. */
const withoutValues = {
  [Kind.INT]: () => placeholder,
  [Kind.FLOAT]: () => placeholder,
  [Kind.STRING]: () => placeholder,
  [Kind.BOOLEAN]: () => placeholder,
  // However many values there are.
  [Kind.LIST]: () => placeholder,
};

const placeholder = { kind: Kind.NULL } as const;
