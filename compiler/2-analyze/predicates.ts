/** Binds row filters and checks: boolean expressions of the metadata → predicates with resolved names. */
import { invariant } from "../../runtime/values/errors.ts";
import type { BoolExp, Json, QualifiedName } from "../catalog/model.ts";
import { qualifiedKey } from "./analysis.ts";
import {
  type AnalyzedComputedField,
  type AnalyzedRelationship,
  givenArguments,
  type Predicate,
} from "./analyzed-table.ts";
import { compareColumn, compareComputed } from "./comparisons.ts";
import { bindCrossSource } from "./cross-source.ts";
import { asList, asObject, asText, member } from "./json-values.ts";
import { bindPermitted, permittedKey } from "./permitted.ts";
import type { PredicateScope } from "./predicate-scope.ts";
import { reject, rejectDangling, rejectUnknown } from "./rejection.ts";
import type { SourceContext } from "./source-context.ts";
import type { TablesByKey } from "./table-fields.ts";
import type { TableBase } from "./tables.ts";

/** True for every row. */
export const always: Predicate = { kind: "and", items: [] };

/**
 * Binds an expression. Several keys of one object are joined with AND.
 * @throws Rejection
 */
export function bindPredicate(scope: PredicateScope, expression: BoolExp): Predicate {
  const items = Object.entries(expression).map(([key, value]) => bindMember(scope, key, value));
  if (items.length === 0) return always;
  const [only] = items;
  return items.length === 1 && only ? only : { kind: "and", items };
}

function bindAny(scope: PredicateScope, expression: Json): Predicate {
  return bindPredicate(scope, asObject(expression));
}

function bindMember(scope: PredicateScope, key: string, value: Json): Predicate {
  switch (key) {
    case "_and":
    case "$and":
      return { kind: "and", items: asList(value).map((item) => bindAny(scope, item)) };
    case "_or":
    case "$or":
      return { kind: "or", items: asList(value).map((item) => bindAny(scope, item)) };
    case "_not":
    case "$not":
      return { kind: "not", item: bindAny(scope, value) };
    case "_exists":
    case "$exists":
      return bindExists(scope, value);
    case permittedKey:
      return isField(scope, key) ? bindField(scope, key, value) : bindPermitted(scope, value);
    default:
      return bindField(scope, key, value);
  }
}

/** Returns true for a column or field of the row, whose name has precedence over an operator added later. */
const isField = ({ row }: PredicateScope, name: string): boolean =>
  row.columns.has(name) || row.relationships.has(name) || row.computedFields.has(name);

function bindExists(scope: PredicateScope, value: Json): Predicate {
  const exists = asObject(value);
  const name = tableName(scope.context, member(exists, "_table"));
  const row = scope.tables.get(qualifiedKey(name));
  if (row === undefined) return scope.context.rejectNoTable(name, basesOf(scope.tables));
  scope.uses.table(row);
  return { kind: "exists", table: row.base.key, where: bindAny({ ...scope, row }, member(exists, "_where")) };
}

function basesOf(tables: TablesByKey): readonly TableBase[] {
  return Array.from(tables.values(), ({ base }) => base);
}

function tableName({ dialect }: SourceContext, value: Json): QualifiedName {
  if (typeof value === "string") return { schema: dialect.defaultSchema, name: value };
  const table = asObject(value);
  return { schema: asText(table.schema ?? dialect.defaultSchema), name: asText(member(table, "name")) };
}

function bindField(scope: PredicateScope, name: string, value: Json): Predicate {
  const { row } = scope;
  const column = row.columns.get(name);
  if (column !== undefined) return compareColumn(scope, column, value);
  const relationship = row.relationships.get(name);
  if (relationship !== undefined) return bindRelated(scope, relationship, value);
  const computed = row.computedFields.get(name);
  if (computed !== undefined) return bindComputed(scope, computed, value);
  const remote = row.remoteRelationships.get(name);
  if (remote !== undefined) return bindCrossSource(scope, remote, (inner) => bindAny(inner, value));
  const lacks = (["object_relation", "array_relation", "computed_field", "remote_relationship"] as const).map(
    (kind) => ({
      kind,
      source: row.base.source,
      table: row.base.table.table,
      name,
    }),
  );
  if (row.dangling.has(name)) rejectDangling(`table "${row.base.displayName}" has no field named "${name}"`, ...lacks);
  return rejectUnknown(
    `"${name}" does not exist`,
    name,
    [...row.columns.keys(), ...row.relationships.keys()],
    ...lacks,
  );
}

/**
 * Binds a condition on a computed field: a comparison of its value, or an expression that one of its rows must meet.
 */
function bindComputed(scope: PredicateScope, computed: AnalyzedComputedField, value: Json): Predicate {
  const { name, returns } = computed;
  if (givenArguments(computed).length > 0) {
    reject("Computed columns with input arguments can not be part of the where clause");
  }
  scope.uses.field(scope.row, "computed_field", name);
  if (returns.kind === "scalar") return compareComputed(scope, computed, returns.type, value);
  const row = scope.tables.get(returns.target);
  invariant(row !== undefined, `computed field ${name} has no table`);
  scope.uses.table(row);
  return { kind: "computed_rows", computed, target: returns.target, where: bindAny({ ...scope, row }, value) };
}

function bindRelated(scope: PredicateScope, relationship: AnalyzedRelationship, value: Json): Predicate {
  const row = scope.tables.get(relationship.target);
  invariant(row !== undefined, `relationship ${relationship.name} has no target`);
  scope.uses.field(scope.row, `${relationship.kind}_relation`, relationship.name);
  scope.uses.table(row);
  return { kind: "related", relationship, where: bindAny({ ...scope, row }, value) };
}
