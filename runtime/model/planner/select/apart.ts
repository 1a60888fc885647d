/**
 * Lists and aggregates of rows that a distributed database selects apart: they are grouped by the columns that join
 * them, and joined to the rows of the scope.
 */
import { EngineError, pathTo } from "../../../values/errors.ts";
import type { Alias } from "../../definitions/column.ts";
import type { JsonField, JsonMember } from "../../definitions/dialect.ts";
import { allOf, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { Relationship } from "../../definitions/view.ts";
import type { SelectedField, SelectedRows } from "../request/selected-field.ts";
import { aggregateMembers, misplaced } from "./aggregate-members.ts";
import { effectiveLimit, type ListArguments, listArguments } from "./arguments.ts";
import { Carried } from "./carried.ts";
import type { BuildContext } from "./context.ts";
import { nativeOrigin } from "./native.ts";
import { distributedOf, restrict, restrictedJoin } from "./places.ts";
import { fromClause, readCondition, type Scope, scopeOf } from "./scope.ts";

/** Returns the fields of a row as JSON; passed in because rows contain lists in turn. */
type JsonFields = (
  selection: readonly SelectedField[],
  scope: Scope,
  row: Alias,
  context: BuildContext,
) => readonly JsonField[];

/** A relationship of a row of the scope. */
interface RelatedRows {
  readonly relationship: Relationship;
  readonly field: SelectedRows;
  readonly scope: Scope;
  readonly row: Alias;
}

/** Returns the JSON list of related rows, and adds the join with it to the scope. */
export function listApart(related: RelatedRows, context: BuildContext, jsonFields: JsonFields): Sql {
  const { field } = related;
  const { target, inner, args, where, keys } = rowsOf(related, context);
  refuseArguments(field, target.table.source.naming, ["distinct_on", "top_per"]);
  const value = context.dialect.jsonObject(jsonFields(field.selection, inner, inner.alias, context));
  restrict(inner, where);
  const lists = distributedOf(context).listsApart({
    row: inner.alias,
    from: fromClause(inner),
    where,
    keys,
    value,
    orderBy: args.orderBy,
    limit: effectiveLimit(args.limit, target.rowLimit, context),
    offset: args.offset,
  });
  return sql`coalesce(${joined(related, lists, context)}, '[]')`;
}

/** Returns the JSON object of aggregates of related rows, and adds the join with it to the scope. */
export function aggregateApart(related: RelatedRows, context: BuildContext, jsonFields: JsonFields): Sql {
  const { field } = related;
  const { dialect } = context;
  const { target, inner, args, where, keys } = rowsOf(related, context);
  refuseArguments(field, target.table.source.naming, ["distinct_on", "top_per", "limit", "offset"]);
  const alias = context.alias();
  const carried = new Carried(alias, inner, context);
  const groups = keys.map((key) => sql`${inner.alias}.${verbatim(key)}`);
  const members = field.selection.map((f): JsonMember => {
    const { key, meta } = f;
    if (meta.kind === "aggregate") return { key, members: aggregateMembers(f, carried, context) };
    if (meta.kind === "constant") return { key, value: dialect.textLiteral(meta.value) };
    if (meta.kind !== "nodes") throw misplaced(f);
    const node = carried.carry(`nodes ${key}`, () =>
      dialect.jsonObject(jsonFields(f.selection, inner, inner.alias, context)),
    );
    const position = carried.carry("position", () => numberOf(groups, args));
    const filter = target.rowLimit === undefined ? undefined : sql`${position} <= ${verbatim(String(target.rowLimit))}`;
    return { key, value: dialect.jsonAggregate(node, { filter, position }), holdsJson: true };
  });
  restrict(inner, where);
  const rows = { row: inner.alias, from: fromClause(inner), where, keys };
  const grouped = distributedOf(context).aggregatesApart(rows, carried.columns(), objectOf(members, context), alias);
  const empty = dialect.jsonObject(emptyFields(field.selection, context));
  return sql`coalesce(${joined(related, grouped, context)}, ${empty})`;
}

function objectOf(members: readonly JsonMember[], context: BuildContext): Sql {
  return context.dialect.jsonObject(
    members.map((member) =>
      "members" in member ? { key: member.key, value: objectOf(member.members, context) } : member,
    ),
  );
}

function numberOf(groups: readonly Sql[], { orderBy }: ListArguments): Sql {
  const list = (items: readonly Sql[]): Sql => items.reduce((all, item) => sql`${all}, ${item}`);
  const order = orderBy.length === 0 ? sql`` : sql` order by ${list(orderBy)}`;
  return sql`row_number() over (partition by ${list(groups)}${order})`;
}

/** Returns the fields of an aggregate of no rows. */
function emptyFields(selection: readonly SelectedField[], context: BuildContext): readonly JsonField[] {
  return selection.map((field): JsonField => {
    const { key, meta } = field;
    switch (meta.kind) {
      case "constant":
        return { key, value: context.dialect.textLiteral(meta.value) };
      case "count":
        return { key, value: sql`0` };
      case "nodes":
        return { key, value: sql`'[]'::json` };
      case "aggregate":
      case "function":
        return { key, value: context.dialect.jsonObject(emptyFields(field.selection, context)) };
      default:
        return { key, value: sql`null` };
    }
  });
}

function rowsOf({ relationship, field, scope, row }: RelatedRows, context: BuildContext) {
  const target = relationship.target();
  const { rows } = "meta" in field ? nativeOrigin(target, field, context) : { rows: undefined };
  const inner = scopeOf(target, context, rows, { kind: "unknown" });
  const args = listArguments(field, inner, context);
  const { keys, restriction } = restrictedJoin(scope, row, inner.alias, relationship.join, context);
  const where = allOf([readCondition(target, inner.alias, context), args.where, restriction]);
  return { target, inner, args, where, keys };
}

/** Adds the join, and returns its value. */
function joined({ relationship, scope, row }: RelatedRows, rows: Sql, context: BuildContext): Sql {
  const alias = context.alias();
  context.places.set(alias, { kind: "values" });
  scope.joins.push(sql`left join ${rows} ${alias} on ${relationship.join.on(row, alias)}`);
  return sql`${alias}.v`;
}

function refuseArguments(
  { args, path }: SelectedRows,
  naming: { field(name: string): string },
  names: readonly string[],
): void {
  const given = names.map((name) => naming.field(name)).find((name) => args.has(name));
  if (given === undefined) return;
  const message = `"${given}" is not available here, because Citus stores the rows on other servers than the rows that they are joined to`;
  throw new EngineError("not-supported", pathTo(path, "args", given), message);
}
