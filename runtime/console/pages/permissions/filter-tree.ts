/** Conversion between row filters and form trees. Expressions without form fields are preserved as JSON. */
import type { Json, JsonObject, QualifiedName } from "../../http/metadata-types.ts";
import { isObject } from "./conditions.ts";

/** Boolean connective of a group. */
export type Connective = "all" | "any" | "not all" | "none";

export interface Group {
  readonly kind: "group";
  readonly connective: Connective;
  readonly items: readonly FilterNode[];
}

export type FilterNode =
  | Group
  | { readonly kind: "condition"; readonly column: string; readonly operator: string; readonly value: Json }
  /** Condition on rows of a relationship. */
  | { readonly kind: "related"; readonly relationship: string; readonly filter: JsonObject }
  /** True if the role may read a row of the relationship. */
  | { readonly kind: "permitted"; readonly relationship: string }
  /** True if any row of the table matches. */
  | { readonly kind: "exists"; readonly table: QualifiedName; readonly filter: JsonObject }
  | { readonly kind: "other"; readonly filter: JsonObject };

/** Names that distinguish columns from relationships. */
export interface FilterNames {
  readonly columns: ReadonlySet<string>;
  readonly relationships: ReadonlySet<string>;
}

/** Converts a filter to a tree with a group at its root. */
export function treeOf(filter: JsonObject, names: FilterNames): Group {
  const items = itemsOf(filter, names);
  const [only, ...others] = items;
  return only?.kind === "group" && others.length === 0 ? only : { kind: "group", connective: "all", items };
}

function itemsOf(filter: JsonObject, names: FilterNames): readonly FilterNode[] {
  return Object.entries(filter).flatMap(([name, value]) => nodesOf(name, value, names));
}

/** Converts one entry of an expression. Entries are combined with AND. */
function nodesOf(name: string, value: Json, names: FilterNames): readonly FilterNode[] {
  const other: FilterNode = { kind: "other", filter: { [name]: value } };
  if ((name === "_and" || name === "_or") && Array.isArray(value)) {
    const parts: readonly Json[] = value;
    if (!parts.every(isObject)) return [other];
    return [
      { kind: "group", connective: name === "_and" ? "all" : "any", items: parts.map((each) => itemOf(each, names)) },
    ];
  }
  if (!isObject(value)) return [other];
  if (name === "_not") return [negated(itemOf(value, names))];
  if (name === "_exists") {
    const { _table: table, _where: where, ...rest } = value;
    const isKnown = isName(table) && isObject(where) && Object.keys(rest).length === 0;
    return [isKnown ? { kind: "exists", table, filter: where } : other];
  }
  if (name === "_permitted" && !names.columns.has(name)) {
    const { relationship, operation, ...rest } = value;
    const isKnown = typeof relationship === "string" && names.relationships.has(relationship);
    const isComplete = isKnown && operation === "select" && Object.keys(rest).length === 0;
    return [isComplete ? { kind: "permitted", relationship } : other];
  }
  // A column takes precedence over a relationship with the same name.
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

/** Converts an element of a list to a single node. */
function itemOf(filter: JsonObject, names: FilterNames): FilterNode {
  const items = itemsOf(filter, names);
  const [only, ...others] = items;
  return only && others.length === 0 ? only : { kind: "group", connective: "all", items };
}

const opposites: Readonly<Record<Connective, Connective>> = {
  all: "not all",
  any: "none",
  "not all": "all",
  none: "any",
};

function negated(node: FilterNode): Group {
  const isPlain = node.kind === "group" && (node.connective === "all" || node.connective === "any");
  return isPlain
    ? { ...node, connective: opposites[node.connective] }
    : { kind: "group", connective: "none", items: [node] };
}

/** Converts a tree to the shortest equivalent filter. */
export function filterOf({ connective, items }: Group): JsonObject {
  if (connective !== "all") return groupJson({ kind: "group", connective, items });
  const [only, ...others] = items;
  if (!only) return {};
  return others.length === 0 && only.kind !== "group"
    ? nodeJson(only)
    : groupJson({ kind: "group", connective, items });
}

function groupJson({ connective, items }: Group): JsonObject {
  const list = items.map(nodeJson);
  switch (connective) {
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
    case "permitted":
      return { _permitted: { relationship: node.relationship, operation: "select" } };
    case "exists":
      return { _exists: { _table: { ...node.table }, _where: node.filter } };
    case "other":
      return node.filter;
  }
}
