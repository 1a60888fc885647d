/**
 * Builds SQL expressions with the JSON of lists, rows and aggregates. Object relationships are joined; relationships
 * that can match several rows are correlated sub-selects, so that limits and orders apply within each parent row. The
 * SQL of each aggregate function is in `runtime/model/dialects/<kind>/dialect.ts`.
 */

import { invariant } from "../../../values/errors.ts";
import { type Alias, columnValue } from "../../definitions/column.ts";
import type { JsonField, JsonMember } from "../../definitions/dialect.ts";
import type { Place } from "../../definitions/distribution.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { allOf, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { ComputedField, ObjectRelationship, Relationship, TableView } from "../../definitions/view.ts";
import { nodeIdVersion } from "../../relay/node-id.ts";
import type { OutputMeta } from "../../schema/types.ts";
import type { SelectedField, SelectedRows } from "../request/selected-field.ts";
import { aggregateMembers, misplaced } from "./aggregate-members.ts";
import { aggregateApart, listApart } from "./apart.ts";
import { effectiveLimit, type ListArguments, listArguments } from "./arguments.ts";
import { callOfField, rowsOfCall, valueOfField } from "./call.ts";
import { Carried } from "./carried.ts";
import { connectionObject } from "./connection.ts";
import { type BuildContext, keyCondition, operand } from "./context.ts";
import { groupRows } from "./group/rows.ts";
import { joinKeys } from "./join-keys.ts";
import { nativeOrigin } from "./native.ts";
import { isApart, placeOfTable, refuseApart, restrict } from "./places.ts";
import {
  fromClause,
  isJoinable,
  isPresent,
  joinRelated,
  type Origin,
  readCondition,
  relatedOrigin,
  type Scope,
  scopeOf,
} from "./scope.ts";
import { type TopPer, topPerOf, topRows } from "./top-per.ts";

/** Returns the JSON list of a view's rows. */
export function selectRows(view: TableView, field: SelectedRows, context: BuildContext, origin: Origin = {}): Sql {
  const { fields, parts } = listParts(view, field, context, origin);
  return context.dialect.jsonRows(fields, parts);
}

/** Returns the JSON object of a function's only row, or NULL if a permission or filter excludes it. */
export function selectRow(view: TableView, field: SelectedRows, context: BuildContext, origin: Origin): Sql {
  const { fields, parts } = listParts(view, field, context, origin);
  return context.dialect.jsonRow(fields, parts);
}

function listParts(view: TableView, field: SelectedRows, context: BuildContext, origin: Origin) {
  const { dialect } = context;
  const { rows, correlation, order } = origin;
  const scope = scopeOf(view, context, rows, origin.place);
  const args = listArguments(field, scope, context);
  const topPer = topPerOf(field, { items: args.items, order }, scope, context);
  const ordersByJoined = scope.joins.length > 0;
  const fields = jsonFields(field.selection, scope, scope.alias, context);
  const where = allOf([correlation?.(scope.alias), readCondition(view, scope.alias, context, origin), args.where]);
  const top = topPer && firstOfGroups(topPer, scope, { where, args, fields }, context);
  const source = top ?? rows;
  if (correlation === undefined) restrict(scope, where);
  const list = {
    where: top ? undefined : where,
    distinctOn: args.distinctOn,
    orderBy: args.orderBy.length > 0 || args.distinctOn.length > 0 || !order ? args.orderBy : [order(scope.alias)],
    limit: effectiveLimit(args.limit, view.rowLimit, context),
    offset: args.offset,
  };
  const isLimited = list.orderBy.length > 0 && (list.limit !== undefined || list.offset !== undefined);
  const joinsSelected = scope.joins.length > 0 && !ordersByJoined;
  // A distributed database cannot read related rows of a derived table in sub-selects.
  if (!isLimited || !joinsSelected || !dialect.keepsOrder || dialect.distributed)
    return { fields, parts: { from: fromClause(source ? { ...scope, rows: source } : scope), ...list } };
  // Rows are sorted and limited before joins: databases do not move sorts or limits below a join.
  const from = sql`${source ?? verbatim(view.table.sql)} ${scope.alias}`;
  const limited = dialect.select({ columns: [sql`${scope.alias}.*`], from, ...list });
  return { fields, parts: { from: fromClause({ ...scope, rows: sql`(${limited})` }), orderBy: args.orderBy } };
}

/** Returns the first rows of each group as a FROM item, for a SELECT with these fields and joins. */
function firstOfGroups(
  topPer: TopPer,
  { alias, joins }: Scope,
  list: { readonly where: Sql | undefined; readonly args: ListArguments; readonly fields: readonly { value: Sql }[] },
  context: BuildContext,
): Sql {
  const uses = [...list.fields.map(({ value }) => value), ...list.args.orderBy, ...joins];
  return topRows(topPer, { alias, where: list.where, uses }, context);
}

/** Returns the JSON object of the row with this primary key, or NULL. The permission's limit does not apply. */
export function selectByKey(view: TableView, field: SelectedRows, context: BuildContext): Sql {
  return selectKeyed(view, field.selection, context, (row) => keyCondition(view, row, field.args, context));
}

/** Returns the JSON object of the row that meets a condition, or NULL. */
export function selectKeyed(
  view: TableView,
  selection: readonly SelectedField[],
  context: BuildContext,
  isRow: (row: Alias) => Sql | undefined,
): Sql {
  const scope = scopeOf(view, context);
  const fields = jsonFields(selection, scope, scope.alias, context);
  const where = allOf([isRow(scope.alias), readCondition(view, scope.alias, context)]);
  restrict(scope, where);
  return context.dialect.jsonRow(fields, { from: fromClause(scope), where });
}

/** Returns the JSON object of a page of rows. */
export function selectConnection(
  view: TableView,
  field: SelectedField,
  context: BuildContext,
  origin: Origin = {},
): Sql {
  return connectionObject(view, field, context, origin, jsonFields);
}

/** Returns the JSON list of groups of rows. */
export function selectGroups(view: TableView, field: SelectedField, context: BuildContext, origin: Origin = {}): Sql {
  return groupRows(view, field, context, origin, jsonFields);
}

/**
 * Returns the JSON list of written rows, in order, or the object of the only row. The permission's filter and limit do
 * not apply.
 * @param rows FROM item
 * @param place place of the rows in a distributed database, if an earlier statement wrote them
 */
export function selectWritten(
  view: TableView,
  { selection }: SelectedRows,
  rows: Sql,
  as: "list" | "object",
  context: BuildContext,
  place?: Place,
): Sql {
  const scope = scopeOf(view, context, rows, place);
  const fields = jsonFields(selection, scope, scope.alias, context);
  restrict(scope, undefined);
  const { distributed } = context.dialect;
  const orderBy = distributed && place ? [sql`${scope.alias}.${distributed.rowPlace}`] : undefined;
  if (as === "list") return context.dialect.jsonRows(fields, { from: fromClause(scope), orderBy });
  return context.dialect.jsonRow(fields, { from: fromClause(scope), limit: sql`1` });
}

/** Returns the JSON object of a row in the RETURNING clause; the field selects only its columns. */
export function selectWrittenRow(view: TableView, { selection }: SelectedRows, row: Alias, context: BuildContext): Sql {
  const scope: Scope = { ...scopeOf(view, context), alias: row, isVisible: false };
  context.places.set(row, placeOfTable(view));
  return context.dialect.jsonObject(jsonFields(selection, scope, row, context));
}

/** Returns the fields of a row as JSON expressions and adds the necessary joins to the scope. */
export function jsonFields(
  selection: readonly SelectedField[],
  scope: Scope,
  row: Alias,
  context: BuildContext,
): readonly JsonField[] {
  return selection.map((field) => ({ key: field.key, value: fieldValue(field, scope, row, context) }));
}

function fieldValue(field: SelectedField, scope: Scope, row: Alias, context: BuildContext): Sql {
  const { meta } = field;
  switch (meta.kind) {
    case "constant":
      return context.dialect.textLiteral(meta.value);
    case "column":
      return outputOf(columnValue(meta.column, row, context.session), meta.column.type, field, context);
    case "relationship": {
      const { relationship } = meta;
      if (relationship.kind === "object") return relatedRow(relationship, field, scope, row, context);
      if (isApart(relationship, row, context))
        return listApart({ relationship, field, scope, row }, context, jsonFields);
      return selectRows(relationship.target(), field, context, {
        ...nativeOrigin(relationship.target(), field, context),
        ...relatedOrigin(relationship, scope, row),
      });
    }
    case "relationship_aggregate":
      if (isApart(meta.relationship, row, context))
        return aggregateApart({ relationship: meta.relationship, field, scope, row }, context, jsonFields);
      return selectAggregate(meta.relationship.target(), field, context, relatedOrigin(meta.relationship, scope, row));
    case "relationship_group":
      refuseApart(meta.relationship, row, "a list of groups", field.path, context);
      return selectGroups(meta.relationship.target(), field, context, relatedOrigin(meta.relationship, scope, row));
    case "relationship_connection":
      refuseApart(meta.relationship, row, "a connection", field.path, context);
      return selectConnection(meta.relationship.target(), field, context, relatedOrigin(meta.relationship, scope, row));
    case "global_id":
      return globalId(meta, row, context);
    case "computed":
      return computedField(meta.computed, field, row, context);
    case "join":
    case "join_aggregate":
      return joinKeys(meta.join.keys, row, context);
    case "remote_join_request":
      return joinKeys(meta.request.join.keys, row, context);
    default:
      throw misplaced(field);
  }
}

function globalId(
  { schema, table, key }: Extract<OutputMeta, { kind: "global_id" }>,
  row: Alias,
  { dialect }: BuildContext,
): Sql {
  const { relay } = dialect;
  invariant(relay, "only rows of databases with Relay support have global ids");
  const values = key.map(({ sql: column, type }) => ({ value: sql`${row}.${verbatim(column)}`, type }));
  return relay.base64(relay.nodeId(nodeIdVersion, [schema, table], values));
}

function outputOf(value: Sql, type: ScalarType, field: SelectedField, context: BuildContext): Sql {
  const path = field.args.get("path");
  if (path) return context.dialect.jsonAtPath(value, operand(path, context.dialect.jsonPathType));
  return type.output?.(value, context.options) ?? value;
}

function computedField(computed: ComputedField, field: SelectedField, row: Alias, context: BuildContext): Sql {
  if (computed.kind === "value") {
    return outputOf(valueOfField(computed, field, context, row), computed.type, field, context);
  }
  const { call } = computed;
  return selectRows(computed.target(), field, context, rowsOfCall(call, callOfField(call, field, context, row)));
}

function relatedRow(
  relationship: ObjectRelationship,
  field: SelectedField,
  scope: Scope,
  row: Alias,
  context: BuildContext,
): Sql {
  const target = relationship.target();
  // Rows of a distributed database are ordered explicitly.
  const keepsOrder = scope.rows === undefined || context.dialect.distributed !== undefined;
  if ((isJoinable(relationship) && keepsOrder) || isApart(relationship, row, context)) {
    return joinedRow(relationship, field, scope, row, context);
  }
  return firstRow(target, field, relatedOrigin(relationship, scope, row), context);
}

/**
 * Selects a relationship that starts from rows of join keys, which belong to no table.
 * @param keys FROM item @param row alias of its rows
 * @returns a value for each row, and the necessary FROM clause
 */
export function selectJoined(
  relationship: Relationship,
  field: SelectedField,
  { keys, row }: { readonly keys: Sql; readonly row: Alias },
  context: BuildContext,
): { readonly value: Sql; readonly from: Sql } {
  const target = relationship.target();
  context.places.set(row, { kind: "values" });
  const scope: Scope = {
    view: target,
    alias: row,
    isVisible: false,
    rows: keys,
    joins: [],
    joined: new Map(),
    restrictions: [],
    paths: new Map(),
  };
  const related = { relationship, field, scope, row };
  if (relationship.kind === "object" && (isJoinable(relationship) || isApart(relationship, row, context))) {
    const value = joinedRow(relationship, field, scope, row, context);
    restrict(scope, undefined);
    return { value, from: fromClause(scope) };
  }
  if (isApart(relationship, row, context)) {
    const form = field.meta.kind === "join_aggregate" ? aggregateApart : listApart;
    const value = form(related, context, jsonFields);
    restrict(scope, undefined);
    return { value, from: fromClause(scope) };
  }
  const origin = relatedOrigin(relationship, scope, row);
  const value = () => {
    if (field.meta.kind === "join_aggregate") return selectAggregate(target, field, context, origin);
    if (relationship.kind === "object") return firstRow(target, field, origin, context);
    return selectRows(target, field, context, { ...nativeOrigin(target, field, context), ...origin });
  };
  return { value: value(), from: fromClause(scope) };
}

/** Returns the JSON object of a joined row, or NULL. */
function joinedRow(
  relationship: ObjectRelationship,
  { selection }: SelectedField,
  scope: Scope,
  row: Alias,
  context: BuildContext,
): Sql {
  const alias = joinRelated(scope, row, relationship, context);
  const object = context.dialect.jsonObject(jsonFields(selection, scope, alias, context));
  return context.dialect.jsonWhere(isPresent(relationship, alias), object);
}

/** Returns the JSON object of the first row, or NULL. */
function firstRow(
  target: TableView,
  field: SelectedField,
  { correlation, ...origin }: Origin,
  context: BuildContext,
): Sql {
  const inner = scopeOf(target, context, origin.rows ?? nativeOrigin(target, field, context).rows, origin.place);
  const fields = jsonFields(field.selection, inner, inner.alias, context);
  return context.dialect.jsonRow(fields, {
    from: fromClause(inner),
    where: allOf([correlation?.(inner.alias), readCondition(target, inner.alias, context, origin)]),
    limit: sql`1`,
  });
}

/**
 * Returns the JSON object of aggregates over the rows after filter, `distinct_on`, `limit` and `offset`. The
 * permission's limit applies only to `nodes`.
 */
export function selectAggregate(view: TableView, field: SelectedRows, context: BuildContext, origin: Origin = {}): Sql {
  const { dialect } = context;
  const { rows: source, correlation } = origin;
  const scope = scopeOf(view, context, source);
  const args = listArguments(field, scope, context);
  const topPer = topPerOf(field, { items: args.items, order: origin.order }, scope, context);
  const rows = context.alias();
  const carried = new Carried(rows, scope, context);
  const hasNodes = field.selection.some((f) => f.meta.kind === "nodes");
  const rowLimit = hasNodes && view.rowLimit !== undefined ? view.rowLimit : undefined;
  const withinLimit = rowLimit === undefined ? undefined : sql`${rows}.n <= ${verbatim(String(rowLimit))}`;

  // If derived tables have no order, rows carry their number.
  const position =
    hasNodes && !dialect.keepsOrder ? carried.position(dialect.rowNumber(args.orderBy), field.path) : undefined;

  const parts = field.selection.map((f): JsonMember => {
    const { meta } = f;
    if (meta.kind === "aggregate") return { key: f.key, members: aggregateMembers(f, carried, context) };
    if (meta.kind === "constant") return { key: f.key, value: dialect.textLiteral(meta.value) };
    if (meta.kind !== "nodes") throw misplaced(f);
    const node = carried.carry(`nodes ${f.key}`, () =>
      dialect.jsonObject(jsonFields(f.selection, scope, scope.alias, context)),
    );
    return { key: f.key, value: dialect.jsonAggregate(node, { filter: withinLimit, position }), holdsJson: true };
  });

  // Without an aggregate function, the statement would return an object for each row.
  if (!field.selection.some(readsRows)) return dialect.jsonOfAggregates(parts, sql`select 1 as c1`, rows);
  const columns = carried.columns();
  const needsOrder = (hasNodes && dialect.keepsOrder) || args.limit || args.offset || args.distinctOn.length > 0;
  const where = allOf([correlation?.(scope.alias), readCondition(view, scope.alias, context, origin), args.where]);
  if (correlation === undefined) restrict(scope, where);
  const top = topPer && firstOfGroups(topPer, scope, { where, args, fields: carried.fields() }, context);
  const base = dialect.select({
    columns: columns.length > 0 ? columns : [sql`1 as c1`],
    from: fromClause(top ? { ...scope, rows: top } : scope),
    where: top ? undefined : where,
    distinctOn: args.distinctOn,
    orderBy: needsOrder ? args.orderBy : [],
    limit: args.limit,
    offset: args.offset,
  });
  const ranked = carried.withRanks(base, []);
  if (rowLimit === undefined) return dialect.jsonOfAggregates(parts, ranked, rows);
  const place = position && carried.nameOfPosition();
  const order = place ? [sql`r.${place}`] : [];
  const numbered = sql`select r.*, ${dialect.rowNumber(order)} as n from (${ranked}) r`;
  return dialect.jsonOfAggregates(parts, numbered, rows);
}

/** Returns true if a part of an aggregate field depends on rows, as all fields except `__typename` do. */
function readsRows({ meta, selection }: SelectedField): boolean {
  if (meta.kind === "aggregate" || meta.kind === "function") return selection.some(readsRows);
  return meta.kind !== "constant";
}
