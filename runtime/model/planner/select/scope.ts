/**
 * The row sources of one SELECT: the table itself, or a function that gives rows of it, and the object relationships
 * joined to it. A relationship that is selected and ordered by is joined once.
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
  /** Its rows are read from the table, and only those that the role may read. */
  readonly isVisible: boolean;
  /** Rows in an order of their own, in place of the table's; nothing is joined to them, which could change it. */
  readonly rows?: Sql;
  /** Joins so far, in order. */
  readonly joins: Sql[];
  /** Joined rows by relationship, for each row source. */
  readonly joined: Map<Alias, Map<ObjectRelationship, Alias>>;
}

/** Which rows of a table something is about: all of them unless said otherwise. */
export interface Origin {
  /** What gives the rows in place of the table: a function call. */
  readonly rows?: Sql;
  /** Restricts them, for example to those that belong to a row of an enclosing statement. */
  readonly correlation?: (row: Alias) => Sql;
  /** What they are ordered by where nothing else is asked; absent: as they come. */
  readonly order?: (row: Alias) => Sql;
  /** The role may read all of them. */
  readonly areVisible?: boolean;
}

/** For rows of the table that the role may read, or for `rows`. */
export function scopeOf(view: TableView, context: BuildContext, rows?: Sql): Scope {
  const isVisible = rows === undefined;
  return { view, alias: context.alias(), isVisible, joins: [], joined: new Map(), ...(rows && { rows }) };
}

/** Which rows of a view belong to a row of a scope. */
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

/** The condition of those rows that the role may read. */
export function readCondition(
  view: TableView,
  row: Alias,
  { session }: BuildContext,
  { areVisible = false }: Pick<Origin, "areVisible"> = {},
): Sql | undefined {
  return areVisible ? undefined : view.visible?.(row, session);
}

/** The table with its joins, as it stands after FROM. */
export function fromClause(scope: Scope): Sql {
  const rows = scope.rows ?? verbatim(scope.view.table.sql);
  return joinSql([sql`${rows} ${scope.alias}`, ...scope.joins], " ");
}

/**
 * Whether a relationship's row can be joined: at most one row matches, and a column tells whether one did. Others
 * need a sub-select.
 */
export function isJoinable(relationship: ObjectRelationship): boolean {
  return relationship.join.unique && relationship.target().table.primaryKey.length > 0;
}

/** The row of a joinable relationship that the role may see; every column of it is NULL where there is none. */
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

/** Whether the joined row exists. */
export function isPresent(target: TableView, alias: Alias): Sql {
  const [key] = target.table.primaryKey;
  invariant(key, "joined tables have a primary key");
  return sql`${alias}.${verbatim(key.sql)} is not null`;
}
