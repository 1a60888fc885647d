/**
 * The row sources of one SELECT: the table, or a function that returns rows of it, and the joined object relationships.
 * A relationship that is both selected and ordered by is joined once.
 */

import { invariant } from "../../../values/errors.ts";
import type { Alias } from "../../definitions/column.ts";
import type { Place } from "../../definitions/distribution.ts";
import { documentPlace } from "../../definitions/json-document.ts";
import { allOf, joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { ObjectRelationship, Relationship, TableView } from "../../definitions/view.ts";
import { maximumJoins, overBudget } from "../request/budget.ts";
import type { BuildContext } from "./context.ts";
import { isApart, type JoinedFrom, placeOfTable, type Restriction, restrictedJoin } from "./places.ts";

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
  /** Rows that the database selects apart, which are restricted to those that join the rows of the scope. */
  readonly restrictions: Restriction[];
  /** Joins by the alias of their rows, for restrictions. */
  readonly paths: Map<Alias, JoinedFrom>;
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
  /** Place of `rows`; absent: they are values. */
  readonly place?: Place;
}

/** Returns a scope for the table's rows that the role may read, or for `rows`. */
export function scopeOf(view: TableView, context: BuildContext, rows?: Sql, place?: Place): Scope {
  const alias = context.alias();
  context.places.set(alias, rows ? (place ?? { kind: "values" }) : placeOfTable(view));
  return {
    view,
    alias,
    isVisible: rows === undefined,
    joins: [],
    joined: new Map(),
    restrictions: [],
    paths: new Map(),
    ...(rows && { rows }),
  };
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
    // A distributed database derives the servers of related rows from their own filter.
    areVisible: relationship.visibleWithRow && scope.isVisible && scope.view.table.distribution === undefined,
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

/** Returns all columns of a row, as columns of a SELECT. */
export function wholeRow({ alias, view }: Pick<Scope, "alias" | "view">, { dialect }: BuildContext): Sql {
  const { columns = [] } = view.table;
  if (!dialect.listsColumns || columns.length === 0) return sql`${alias}.*`;
  return joinSql(
    columns.map(({ sql: name }) => sql`${alias}.${verbatim(name)}`),
    ", ",
  );
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
  if (isApart(relationship, from, context)) {
    joinApart(scope, { from, alias }, relationship, context);
    joined.set(relationship, alias);
    return alias;
  }
  context.places.set(alias, placeOfTable(target));
  const { correlation, ...origin } = relatedOrigin(relationship, scope, from);
  const on = allOf([correlation?.(alias), readCondition(target, alias, context, origin)]) ?? context.dialect.always;
  addJoin(scope, sql`left join ${verbatim(target.table.sql)} ${alias} on ${on}`, from, alias);
  joined.set(relationship, alias);
  return alias;
}

/** Joins the related row from rows that the database selects apart. */
function joinApart(
  scope: Scope,
  { from, alias }: { readonly from: Alias; readonly alias: Alias },
  relationship: ObjectRelationship,
  context: BuildContext,
): void {
  const { distributed } = context.dialect;
  invariant(distributed, "only rows of distributed databases are apart");
  const target = relationship.target();
  const row = context.alias();
  context.places.set(row, placeOfTable(target));
  context.places.set(alias, { kind: "values" });
  const { keys, restriction } = restrictedJoin(scope, from, row, relationship.join, context);
  const rows = distributed.rowsApart(
    {
      row,
      from: sql`${verbatim(target.table.sql)} ${row}`,
      where: allOf([readCondition(target, row, context), restriction]),
      keys,
    },
    !relationship.join.unique,
  );
  addJoin(scope, sql`left join ${rows} ${alias} on ${relationship.join.on(from, alias)}`, from, alias);
}

function addJoin({ joins, paths }: Scope, join: Sql, from: Alias, alias: Alias): void {
  joins.push(join);
  paths.set(alias, { from, join });
}

/** Returns the condition that the joined row exists. */
export function isPresent({ join, target }: Relationship, alias: Alias): Sql {
  const [key] = target().table.primaryKey;
  const name = key?.sql ?? join.columns?.[0]?.remote;
  invariant(name !== undefined, "joined tables have a primary key");
  return sql`${alias}.${verbatim(name)} is not null`;
}
