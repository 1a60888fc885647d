/** A row filter as a tree that a form can show, and back. What a form has no fields for stays as it is, as JSON. */
import type { Json, JsonObject, QualifiedName } from "../../http/metadata-types.ts";
import { isObject } from "./conditions.ts";

/** How the parts of a group count together. */
export type Joint = "all" | "any" | "not all" | "none";

export interface Group {
  readonly kind: "group";
  readonly joint: Joint;
  readonly items: readonly FilterNode[];
}

export type FilterNode =
  | Group
  | { readonly kind: "condition"; readonly column: string; readonly operator: string; readonly value: Json }
  /** Of the rows that a relationship leads to. */
  | { readonly kind: "related"; readonly relationship: string; readonly filter: JsonObject }
  /** Whether any row of a table is like that. */
  | { readonly kind: "exists"; readonly table: QualifiedName; readonly filter: JsonObject }
  | { readonly kind: "other"; readonly filter: JsonObject };

/** What names in a filter stand for. */
export interface FilterNames {
  readonly columns: ReadonlySet<string>;
  readonly relationships: ReadonlySet<string>;
}

/** The tree of a whole filter: one group. */
export function treeOf(filter: JsonObject, names: FilterNames): Group {
  const items = itemsOf(filter, names);
  const [only, ...others] = items;
  return only?.kind === "group" && others.length === 0 ? only : { kind: "group", joint: "all", items };
}

function itemsOf(filter: JsonObject, names: FilterNames): readonly FilterNode[] {
  return Object.entries(filter).flatMap(([name, value]) => nodesOf(name, value, names));
}

/** Each entry of an object has to hold. */
function nodesOf(name: string, value: Json, names: FilterNames): readonly FilterNode[] {
  const other: FilterNode = { kind: "other", filter: { [name]: value } };
  if ((name === "_and" || name === "_or") && Array.isArray(value)) {
    const parts: readonly Json[] = value;
    if (!parts.every(isObject)) return [other];
    return [{ kind: "group", joint: name === "_and" ? "all" : "any", items: parts.map((each) => itemOf(each, names)) }];
  }
  if (!isObject(value)) return [other];
  if (name === "_not") return [negated(itemOf(value, names))];
  if (name === "_exists") {
    const { _table: table, _where: where, ...rest } = value;
    const isKnown = isName(table) && isObject(where) && Object.keys(rest).length === 0;
    return [isKnown ? { kind: "exists", table, filter: where } : other];
  }
  // A column hides a relationship of its name.
  if (names.columns.has(name)) {
    const conditions = Object.entries(value).map(
      ([operator, operand]): FilterNode => ({ kind: "condition", column: name, operator, value: operand }),
    );
    return conditions.length > 0 ? conditions : [other];
  }
  return [names.relationships.has(name) ? { kind: "related", relationship: name, filter: value } : other];
}

function isName(value: Json | undefined): value is { readonly schema: string; readonly name: string } {
  return isObject(value) && typeof value.schema === "string" && typeof value.name === "string";
}

/** An object in a list: one node, whatever it has. */
function itemOf(filter: JsonObject, names: FilterNames): FilterNode {
  const items = itemsOf(filter, names);
  const [only, ...others] = items;
  return only && others.length === 0 ? only : { kind: "group", joint: "all", items };
}

const opposites: Readonly<Record<Joint, Joint>> = { all: "not all", any: "none", "not all": "all", none: "any" };

function negated(node: FilterNode): Group {
  const isPlain = node.kind === "group" && (node.joint === "all" || node.joint === "any");
  return isPlain ? { ...node, joint: opposites[node.joint] } : { kind: "group", joint: "none", items: [node] };
}

/** The filter of a tree: as short as it can be, without another meaning. */
export function filterOf({ joint, items }: Group): JsonObject {
  if (joint !== "all") return groupJson({ kind: "group", joint, items });
  const [only, ...others] = items;
  if (!only) return {};
  return others.length === 0 && only.kind !== "group" ? nodeJson(only) : groupJson({ kind: "group", joint, items });
}

function groupJson({ joint, items }: Group): JsonObject {
  const list = items.map(nodeJson);
  switch (joint) {
    case "all":
      return { _and: list };
    case "any":
      return { _or: list };
    case "not all":
      return { _not: { _and: list } };
    case "none":
      return { _not: list.length === 1 && list[0] && items[0]?.kind !== "group" ? list[0] : { _or: list } };
  }
}

function nodeJson(node: FilterNode): JsonObject {
  switch (node.kind) {
    case "group":
      return groupJson(node);
    case "condition":
      return { [node.column]: { [node.operator]: node.value } };
    case "related":
      return { [node.relationship]: node.filter };
    case "exists":
      return { _exists: { _table: { ...node.table }, _where: node.filter } };
    case "other":
      return node.filter;
  }
}
