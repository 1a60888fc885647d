/**
 * Binds `{"_permitted": {"relationship": "author", "operation": "select"}}`: the role of the permission may select a
 * related row. `permission-references.ts` adds the row filter of that permission once all permissions are bound.
 */
import { didYouMean } from "../../runtime/values/nearest-name.ts";
import type { Json } from "../catalog/model.ts";
import type { AnalyzedRelationship, Predicate } from "./analyzed-table.ts";
import { asObject, asText, member } from "./json-values.ts";
import type { PredicateScope } from "./predicate-scope.ts";
import { Rejection, reject, rejectDangling, rejectUnknown } from "./rejection.ts";

export const permittedKey = "_permitted";

const members: readonly string[] = ["relationship", "operation"];

/** @throws Rejection */
export function bindPermitted(scope: PredicateScope, value: Json): Predicate {
  const given = asObject(value);
  for (const key of Object.keys(given)) {
    if (!members.includes(key)) rejectUnknown(`${permittedKey} has no member "${key}"`, key, members);
  }
  const name = asText(member(given, "relationship"));
  checkOperation(asText(member(given, "operation")));
  // Only expressions about the permission's own source have a root.
  if (scope.root === null) {
    reject(`${permittedKey} cannot be used for rows of another source, where the permission is not evaluated`);
  }
  const relationship = relationshipNamed(scope, name);
  scope.uses.field(scope.row, `${relationship.kind}_relation`, name);
  const target = scope.tables.get(relationship.target);
  if (target !== undefined) scope.uses.table(target);
  return { kind: "permitted", owner: scope.row.base.key, relationship, where: unresolved };
}

/** Row filter of a reference that is not resolved, recognised by identity. False for every row. */
export const unresolved: Predicate = { kind: "or", items: [] };

function checkOperation(operation: string): void {
  if (operation === "select") return;
  throw new Rejection(`${permittedKey} has the operation "${operation}", and only "select" is possible`, {
    hint: didYouMean(operation, ["select"]),
  });
}

function relationshipNamed({ row }: PredicateScope, name: string): AnalyzedRelationship {
  const found = row.relationships.get(name);
  if (found !== undefined) return found;
  const { source, table, displayName } = row.base;
  const lacks = (["object_relation", "array_relation"] as const).map(
    (kind) => ({ kind, source, table: table.table, name }) as const,
  );
  if (row.dangling.has(name)) rejectDangling(`table "${displayName}" has no relationship named "${name}"`, ...lacks);
  if (row.remoteRelationships.has(name)) {
    reject(`${permittedKey} cannot follow the remote relationship "${name}": only relationships within the source`);
  }
  if (row.columns.has(name) || row.computedFields.has(name)) {
    const kind = row.columns.has(name) ? "column" : "computed field";
    return rejectUnknown(
      `${permittedKey} needs a relationship, and "${name}" is a ${kind} of table "${displayName}"`,
      name,
      row.relationships.keys(),
    );
  }
  return rejectUnknown(
    `relationship "${name}" does not exist on table "${displayName}"`,
    name,
    row.relationships.keys(),
    ...lacks,
  );
}
