/**
 * The row sources of one SELECT: the table, or a function that returns rows of it, and the joined object relationships.
 * A relationship that is both selected and ordered by is joined once.
 */

import { invariant } from "../../../values/errors.ts";
import type { Alias } from "../../definitions/column.ts";
import { documentPlace } from "../../definitions/json-document.ts";
import { allOf, joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { ObjectRelationship, Relationship, TableView } from "../../definitions/view.ts";
import { maximumJoins, overBudget } from "../request/budget.ts";
import type { BuildContext } from "./context.ts";

export interface Scope {
  readonly view: TableView;
  readonly alias: Alias;
  /** True if the rows are read from the table and restricted to those that the role may read. */
  readonly isVisible: boolean;
  /** Ordered rows instead of the table; joins are not allowed because they could change the order. */
  readonly rows?: Sql;
  /** Joins so far, in order. */
  readonly joins: Sql[];
  /** Joined rows by relationship, for each row source. */
  readonly joined: Map<Alias, Map<ObjectRelationship, Alias>>;
}

/** The origin of a table's rows; by default all rows of the table. */
export interface Origin {
  /** FROM item instead of the table: a function call. */
  readonly rows?: Sql;
  /** Restricts the rows, for example to the rows related to a row of the enclosing statement. */
  readonly correlation?: (row: Alias) => Sql;
  /** Default order, if any. */
  readonly order?: (row: Alias) => Sql;
  /** True if the role may read all rows. */
  readonly areVisible?: boolean;
}

/** Returns a scope for the table's rows that the role may read, or for `rows`. */
export function scopeOf(view: TableView, context: BuildContext, rows?: Sql): Scope {
  const isVisible = rows === undefined;
  return { view, alias: context.alias(), isVisible, joins: [], joined: new Map(), ...(rows && { rows }) };
}

/** Returns the related rows of a row of the scope. */
export function relatedOrigin(relationship: Relationship, scope: Scope, row: Alias): Origin {
  const { document } = relationship.join;
  if (document) {
    const { dialect } = scope.view.table.source;
    const rows = dialect.documentRows(sql`${row}.${verbatim(document.column)}`, document);
    const place = verbatim(dialect.quoteIdentifier(documentPlace));
    return { rows, ...(document.list && { order: (item) => sql`${item}.${place}` }) };
  }
  return {
    correlation: (other) => relationship.join.on(row, other),
    areVisible: relationship.visibleWithRow && scope.isVisible,
  };
}

/** Returns the condition on rows that the role may read. */
export function readCondition(
  view: TableView,
  row: Alias,
  { session }: BuildContext,
  { areVisible = false }: Pick<Origin, "areVisible"> = {},
): Sql | undefined {
  return areVisible ? undefined : view.visible?.(row, session);
}

/** Returns the table with its joins as a FROM clause. */
export function fromClause(scope: Scope): Sql {
  const rows = scope.rows ?? verbatim(scope.view.table.sql);
  return joinSql([sql`${rows} ${scope.alias}`, ...scope.joins], " ");
}

/**
 * Returns true if a relationship's row can be joined: at most one row matches, and a key column shows whether a row
 * matched. Other relationships need a sub-select.
 */
export function isJoinable(relationship: ObjectRelationship): boolean {
  return relationship.join.unique && relationship.target().table.primaryKey.length > 0;
}

/** Joins the related row that the role may read and returns its alias. All columns of a missing row are NULL. */
export function joinRelated(scope: Scope, from: Alias, relationship: ObjectRelationship, context: BuildContext): Alias {
  let joined = scope.joined.get(from);
  if (!joined) {
    joined = new Map();
    scope.joined.set(from, joined);
  }
  const existing = joined.get(relationship);
  if (existing) return existing;
  if (scope.joins.length === maximumJoins) {
    throw overBudget(`the query joins more than ${maximumJoins} rows to those of one list`, "$");
  }
  const target = relationship.target();
  const alias = context.alias();
  const { correlation, ...origin } = relatedOrigin(relationship, scope, from);
  const on = allOf([correlation?.(alias), readCondition(target, alias, context, origin)]) ?? context.dialect.always;
  scope.joins.push(sql`left join ${verbatim(target.table.sql)} ${alias} on ${on}`);
  joined.set(relationship, alias);
  return alias;
}

/** Returns the condition that the joined row exists. */
export function isPresent(target: TableView, alias: Alias): Sql {
  const [key] = target.table.primaryKey;
  invariant(key, "joined tables have a primary key");
  return sql`${alias}.${verbatim(key.sql)} is not null`;
}
