/**
 * Renames tables and columns in a remote relationship, in each of its three forms.
 * @param owner the table that owns the relationship; `undefined` if the owner is not a table of the changed source
 * @returns the same object if nothing in it was renamed
 */
import type { Json, JsonObject } from "../../catalog/model.ts";
import {
  editMember,
  editObject,
  isJsonObject,
  isList,
  mapItems,
  mapMembers,
  type Owner,
} from "../rename-in-expression.ts";
import type { Renames } from "./renames.ts";

export function renameInRemoteRelationship(renames: Renames, owner: Owner, definition: JsonObject): JsonObject {
  const toSource = editObject(definition, "to_source", (to) => renameInToSource(renames, owner, to));
  const toSchema = editObject(toSource, "to_remote_schema", (to) => renameInJoin(renames, owner, to));
  return renameInJoin(renames, owner, toSchema);
}

/**
 * Renames in `{source, table, field_mapping}`, where the mapping goes from fields of the owner to columns of the table.
 */
function renameInToSource(renames: Renames, owner: Owner, to: JsonObject): JsonObject {
  const isHere = to.source === renames.source;
  const target = isHere ? renames.tableIn(to.table) : undefined;
  const mapped = editMember(to, "field_mapping", (mapping) => renameInMapping(renames, mapping, owner, target));
  return isHere ? editMember(mapped, "table", (table) => renames.rewriteTable(table)) : mapped;
}

/** Renames in a mapping from columns of one table to columns of another. */
function renameInMapping(renames: Renames, mapping: Json, from: Owner, to: Owner): Json {
  if (!isJsonObject(mapping)) return mapping;
  return mapMembers(mapping, (key, value) => [
    renames.column(from, key),
    typeof value === "string" ? renames.column(to, value) : value,
  ]);
}

/**
 * Renames the columns that a field of a remote schema gets as arguments: as a list, and as `$column` in `remote_field`.
 */
function renameInJoin(renames: Renames, owner: Owner, join: JsonObject): JsonObject {
  const rename = (name: string) => renames.column(owner, name);
  const inList = (names: Json) =>
    isList(names) ? mapItems(names, (name) => (typeof name === "string" ? rename(name) : name)) : names;
  const listed = editMember(editMember(join, "lhs_fields", inList), "engine_fields", inList);
  const withCall = editObject(listed, "remote_field", (field) => renameInField(field, rename));
  return editObject(withCall, "batch", (batch) =>
    editObject(batch, "match", (match) => mapMembers(match, (name, field) => [rename(name), field])),
  );
}

type Rename = (column: string) => string;

/** Renames in `{name: {arguments, field?: {name: …}}}`. */
function renameInField(field: JsonObject, rename: Rename): JsonObject {
  return mapMembers(field, (name, call) => {
    if (!isJsonObject(call)) return [name, call];
    const withArguments = editMember(call, "arguments", (value) => renameVariables(value, rename));
    return [name, editObject(withArguments, "field", (inner) => renameInField(inner, rename))];
  });
}

function renameVariables(value: Json, rename: Rename): Json {
  if (typeof value === "string") return value.startsWith("$") ? `$${rename(value.slice(1))}` : value;
  if (isList(value)) return mapItems(value, (item) => renameVariables(item, rename));
  return isJsonObject(value) ? mapMembers(value, (key, inner) => [key, renameVariables(inner, rename)]) : value;
}
