/**
 * Boolean expressions of permissions after something that they name was renamed. Input: an expression, the table that it
 * is about, and the new names; output: the expression, the same object where it names nothing that was renamed. The
 * Analysis tells which table a nested expression is about.
 */

import { type AnalyzedSource, qualifiedKey } from "../2-analyze/analysis.ts";
import type { Json, JsonObject, QualifiedName } from "../catalog/model.ts";
import { editMember, isJsonObject, isList, mapItems, mapMembers } from "./follow.ts";

/** A table of the source by its old name; `undefined`: something else, in which nothing was renamed. */
export type Owner = QualifiedName | undefined;

/** What is called something else now. */
export interface NewNames {
  /** The new name of a column, relationship or computed field of a table. */
  field(owner: Owner, name: string): string;
  /** A place that names a table, with the new name. */
  table(written: Json): Json;
}

export interface ExpressionScope {
  readonly names: NewNames;
  readonly analyzed: AnalyzedSource;
  /** Schema of a table that is written without one. */
  readonly defaultSchema: string;
  /** What `$` means in comparisons of columns. */
  readonly root: Owner;
  /** What the expression is about. */
  readonly row: Owner;
}

/** The table that a place of free form names: by its name alone, or as an object. */
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

/** A relationship or a computed field leads to another table; everything else is compared. */
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

/** Names stand only where a column is compared with a column, perhaps after a cast. */
function renameInComparison(scope: ExpressionScope, value: Json): Json {
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (operator, operand) => {
    if (columnOperator.test(operator)) return [operator, renameColumnOperand(scope, operand)];
    if (operator !== "_cast" && operator !== "$cast") return [operator, operand];
    if (!isJsonObject(operand)) return [operator, operand];
    return [operator, mapMembers(operand, (type, inner) => [type, renameInComparison(scope, inner)])];
  });
}

/** `"column"`, `["column"]`, or `["$", "column"]` of the root. */
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
