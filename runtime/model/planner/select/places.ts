/**
 * Places of rows in a distributed database. Rows at places that one statement cannot join are selected apart, restricted
 * to the rows that join those of the statement, and joined to it as values.
 */
import { EngineError, invariant } from "../../../values/errors.ts";
import type { Alias } from "../../definitions/column.ts";
import type { DistributedDialect } from "../../definitions/distributed-dialect.ts";
import type { Place } from "../../definitions/distribution.ts";
import { allOf, joinSql, laterSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { Join } from "../../definitions/table.ts";
import type { Relationship, TableView } from "../../definitions/view.ts";
import type { BuildContext } from "./context.ts";

export const placeOfTable = ({ table }: TableView): Place =>
  table.query ? { kind: "unknown" } : (table.distribution ?? { kind: "unknown" });

/** Returns true if rows of a relationship must be selected apart from the rows with this alias. */
export function isApart({ join, target }: Relationship, from: Alias, { dialect, places }: BuildContext): boolean {
  const { distributed } = dialect;
  if (distributed === undefined || join.document) return false;
  return !distributed.joins(places.get(from) ?? { kind: "unknown" }, placeOfTable(target()), join.columns ?? []);
}

export function distributedOf({ dialect: { distributed } }: BuildContext): DistributedDialect {
  invariant(distributed, "only rows of distributed databases are apart");
  return distributed;
}

/**
 * Checks that rows can be read in a form that has no equivalent for rows apart.
 * @throws EngineError `not-supported`
 */
export function refuseApart(relationship: Relationship, from: Alias, use: string, path: string, context: BuildContext) {
  if (!isApart(relationship, from, context)) return;
  const { displayName } = relationship.target().table;
  const message = `${use} of "${displayName}" is not available here, because Citus stores its rows on other servers than the rows that they are joined to`;
  throw new EngineError("not-supported", path, message);
}

/** Adds the condition on rows apart, once the condition on the rows of the scope is known. */
export type Restriction = (rows: Sql, where: Sql | undefined) => void;

/** The join of rows, and the rows that it refers to. */
export interface JoinedFrom {
  readonly from: Alias;
  readonly join: Sql;
}

interface RestrictedScope {
  readonly alias: Alias;
  /** Joins by the alias of their rows. */
  readonly paths: ReadonlyMap<Alias, JoinedFrom>;
  readonly restrictions: Restriction[];
}

/**
 * Returns the keys of rows apart, and the condition that they join rows of the scope. The condition is empty until
 * `restrict` sets it.
 */
export function restrictedJoin(scope: RestrictedScope, from: Alias, row: Alias, join: Join, context: BuildContext) {
  const { columns = [] } = join;
  invariant(columns.length > 0, "rows apart are joined by columns");
  const { fragment, set } = laterSql();
  set(context.dialect.always);
  const joins: Sql[] = [];
  for (let step = scope.paths.get(from); step; step = scope.paths.get(step.from)) joins.unshift(step.join);
  scope.restrictions.push((rows, where) => {
    const local = columns.map((column) => sql`${from}.${verbatim(column.local)}`);
    const source = joinSql([sql`${rows} ${scope.alias}`, ...joins], " ");
    const condition = where ? sql` where ${where}` : sql``;
    const remote = columns.map((column) => sql`${row}.${verbatim(column.remote)}`);
    set(distributedOf(context).restricts(remote, sql`select ${joinSql(local, ", ")} from ${source}${condition}`));
  });
  return { keys: columns.map(({ remote }) => remote), restriction: fragment };
}

/**
 * Restricts the rows apart to those that join the rows of the scope.
 * @param where condition on these rows, which depends on no row of an enclosing statement
 */
export function restrict(
  { view, rows, restrictions }: { readonly view: TableView; readonly rows?: Sql; readonly restrictions: Restriction[] },
  where: Sql | undefined,
): void {
  if (rows === undefined && where === undefined) return; // All rows of the table would be joined.
  for (const add of restrictions) add(rows ?? verbatim(view.table.sql), where);
}

/** Returns the condition that a related row apart meets a condition. */
export function relatedApart(
  { join, target }: Relationship,
  from: Alias,
  conditionsOf: (other: Alias) => Sql | undefined,
  context: BuildContext,
): Sql {
  const { columns = [] } = join;
  const other = context.alias();
  context.places.set(other, placeOfTable(target()));
  const remote = columns.map((column) => sql`${other}.${verbatim(column.remote)}`);
  const where = allOf([...remote.map((value) => sql`${value} is not null`), conditionsOf(other)]);
  const rows = sql`select ${joinSql(remote, ", ")} from ${verbatim(target().table.sql)} ${other} where ${where ?? context.dialect.always}`;
  return distributedOf(context).isAmong(
    columns.map((column) => sql`${from}.${verbatim(column.local)}`),
    rows,
  );
}
