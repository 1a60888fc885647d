/**
 * Renames fields and tables in boolean expressions of permissions. Input: an expression, its table and the new names;
 * output: the expression, or the same object if nothing in it was renamed. The analysis supplies the table of each
 * nested expression.
 */

import { isObject } from "../../runtime/values/is-object.ts";
import { type AnalyzedSource, qualifiedKey } from "../2-analyze/analysis.ts";
import type { Json, JsonObject, QualifiedName } from "../catalog/model.ts";
import { mapWhere, set } from "./edit.ts";

/** A table of the source by its old name; `undefined`: an object without renamed fields. */
export type Owner = QualifiedName | undefined;

/** Maps old names to new ones. */
export interface NewNames {
  /** Returns the new name of a column, relationship or computed field of a table. */
  field(owner: Owner, name: string): string;
  /** Returns the new form of a value that names a table. */
  table(written: Json): Json;
}

export interface ExpressionScope {
  readonly names: NewNames;
  readonly analyzed: AnalyzedSource;
  /** Schema of an unqualified table name. */
  readonly defaultSchema: string;
  /** The table to which `$` refers in column comparisons. */
  readonly root: Owner;
  /** The table of the expression. */
  readonly row: Owner;
}

/** Parses a table name: a string, or an object with `name` and `schema`. `undefined` if it is neither. */
export function writtenTable(written: Json | undefined, defaultSchema: string): Owner {
  if (typeof written === "string") return { schema: defaultSchema, name: written };
  if (!isJsonObject(written) || typeof written.name !== "string") return undefined;
  const { name, schema = defaultSchema } = written;
  return typeof schema === "string" ? { schema, name } : undefined;
}

export function renameInExpression(scope: ExpressionScope, expression: JsonObject): JsonObject {
  return mapMembers(expression, (key, value) => {
    switch (key) {
      case "_and":
      case "$and":
      case "_or":
      case "$or":
        return [key, isList(value) ? mapItems(value, (item) => renameInAny(scope, item)) : value];
      case "_not":
      case "$not":
        return [key, renameInAny(scope, value)];
      case "_exists":
      case "$exists":
        return [key, isJsonObject(value) ? renameInExists(scope, value) : value];
      case "_permitted":
        if (isJsonObject(value) && typeof value.relationship === "string") {
          return [key, editMember(value, "relationship", (name) => renameIfText(scope.names, scope.row, name))];
        }
        return [scope.names.field(scope.row, key), renameBelowField(scope, key, value)];
      default:
        return [scope.names.field(scope.row, key), renameBelowField(scope, key, value)];
    }
  });
}

function renameInAny(scope: ExpressionScope, expression: Json): Json {
  return isJsonObject(expression) ? renameInExpression(scope, expression) : expression;
}

function renameInExists(scope: ExpressionScope, exists: JsonObject): JsonObject {
  const inner = { ...scope, row: writtenTable(exists._table, scope.defaultSchema) };
  const where = editMember(exists, "_where", (expression) => renameInAny(inner, expression));
  return editMember(where, "_table", (table) => scope.names.table(table));
}

/**
 * Renames below a field: a relationship or a computed field leads to another table, every other field holds a
 * comparison.
 */
function renameBelowField(scope: ExpressionScope, field: string, value: Json): Json {
  const target = targetOf(scope, field);
  return target === undefined ? renameInComparison(scope, value) : renameInAny({ ...scope, row: target }, value);
}

function targetOf({ analyzed, row }: ExpressionScope, field: string): Owner {
  const table = row && analyzed.tables.get(qualifiedKey(row));
  const returns = table?.computedFields.get(field)?.returns;
  const key = table?.relationships.get(field)?.target ?? (returns?.kind === "table" ? returns.target : undefined);
  return key === undefined ? undefined : analyzed.tables.get(key)?.table.table;
}

const columnOperator = /^[_$]c(?:eq|ne|neq|gt|lt|gte|lte)$/;

/** Renames columns in a comparison, including one inside `_cast`. Only column comparisons contain names. */
function renameInComparison(scope: ExpressionScope, value: Json): Json {
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (operator, operand) => {
    if (columnOperator.test(operator)) return [operator, renameColumnOperand(scope, operand)];
    if (operator !== "_cast" && operator !== "$cast") return [operator, operand];
    if (!isJsonObject(operand)) return [operator, operand];
    return [operator, mapMembers(operand, (type, inner) => [type, renameInComparison(scope, inner)])];
  });
}

/**
 * Renames an operand of a column comparison: `"column"`, `["column"]`, or `["$", "column"]` for a column of the root.
 */
function renameColumnOperand({ names, root, row }: ExpressionScope, operand: Json): Json {
  if (typeof operand === "string") return names.field(row, operand);
  if (!isList(operand)) return operand;
  const [first, ...path] = operand;
  if (first !== "$") return mapItems(operand, (name) => renameIfText(names, row, name));
  const renamed = mapItems(path, (name) => renameIfText(names, root, name));
  return renamed === path ? operand : [first, ...renamed];
}

function renameIfText(names: NewNames, owner: Owner, name: Json): Json {
  return typeof name === "string" ? names.field(owner, name) : name;
}

// Edits that rename keys and values inside metadata. Unchanged parts keep their identity.

/** Returns the list with every item mapped, or the same list if nothing changed. */
export function mapItems<T>(items: readonly T[], to: (item: T) => T): readonly T[] {
  return mapWhere(items, () => true, to);
}

/**
 * Returns the object with every member mapped, key and value, in the same order, or the same object if nothing changed.
 */
export function mapMembers<V>(
  object: Readonly<Record<string, V>>,
  to: (key: string, value: V) => readonly [string, V],
): Readonly<Record<string, V>> {
  let changed = false;
  const entries = Object.entries(object).map(([key, value]) => {
    const next = to(key, value);
    if (next[0] !== key || next[1] !== value) changed = true;
    return next;
  });
  return changed ? Object.fromEntries(entries) : object;
}

/** Maps a member of a free-form object. An object without the member is returned unchanged. */
export function editMember(object: JsonObject, key: string, to: (value: Json) => Json): JsonObject {
  const value = object[key];
  return value === undefined ? object : set(object, key, to(value));
}

/** Maps a member that is an object. Members of other types are left unchanged. */
export function editObject(object: JsonObject, key: string, to: (value: JsonObject) => JsonObject): JsonObject {
  return editMember(object, key, (value) => (isJsonObject(value) ? to(value) : value));
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return isObject(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
