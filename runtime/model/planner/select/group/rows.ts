/**
 * Builds the SQL of groups, in three levels: the rows with their keys and the arguments of aggregates; the groups with
 * their aggregates; the JSON of each group, in order. Keys and aggregates are columns of derived tables, so that no
 * expression is repeated in GROUP BY, where SQL Server does not allow sub-selects.
 */
import type { Alias } from "../../../definitions/column.ts";
import type { JsonField, JsonMember } from "../../../definitions/dialect.ts";
import { allOf, joinSql, type Sql, sql, verbatim } from "../../../definitions/sql.ts";
import type { TableView } from "../../../definitions/view.ts";
import type { SelectedField } from "../../request/selected-field.ts";
import { aggregateMembers, misplaced } from "../aggregate-members.ts";
import { effectiveLimit, listArguments, pageArguments } from "../arguments.ts";
import { Carried } from "../carried.ts";
import type { BuildContext } from "../context.ts";
import { fromClause, type Origin, readCondition, type Scope, scopeOf } from "../scope.ts";
import { condition } from "../where.ts";
import { havingCondition } from "./having.ts";
import { columnOf, type GroupKeys, groupKeys, type KeyPlace, partOf, pathOf } from "./keys.ts";
import { groupOrder } from "./order.ts";

/** Returns the fields of a row as JSON; passed in because rows contain groups in turn. */
type JsonFields = (
  selection: readonly SelectedField[],
  scope: Scope,
  row: Alias,
  context: BuildContext,
) => readonly JsonField[];

/**
 * Returns the JSON list of the groups of a view's rows. The permission's limit restricts only the `nodes` of each group.
 * @throws EngineError `validation-failed` for invalid keys, and for selected keys that `by` does not list
 */
export function groupRows(
  view: TableView,
  field: SelectedField,
  context: BuildContext,
  origin: Origin,
  jsonFields: JsonFields,
): Sql {
  const { dialect } = context;
  const argument = (name: string) => field.args.get(view.table.source.naming.field(name));
  const scope = scopeOf(view, context, origin.rows, origin.place);
  const where = argument("where");
  const filter = where && condition(where, scope.alias, context);
  const keys = groupKeys(argument("by"), field.path, scope, context);
  const carried = new Carried(context.alias(), scope, context);
  const groups = new GroupColumns(context.alias());
  const fields = field.selection.map((f): JsonField => {
    const { key, meta } = f;
    switch (meta.kind) {
      case "constant":
        return { key, value: dialect.textLiteral(meta.value) };
      case "group_key":
        return { key, value: dialect.jsonObject(keyFields(f.selection, [], keys, groups, context)) };
      case "aggregate":
        return groups.json(
          { key, members: aggregateMembers(f, carried.where(f.args.get("filter"), key), context) },
          context,
        );
      case "nodes": {
        const nodes = nodesOf(view, f, keys, { scope, carried, context }, jsonFields);
        return groups.json({ key, value: nodes, holdsJson: true }, context);
      }
      default:
        throw misplaced(f);
    }
  });
  const having = havingCondition(argument("having"), { carried, context });
  const orderBy = groupOrder(argument("order_by"), { keys, carried, context }).map((order) => {
    const value = "key" in order ? groups.key(order.key.name) : groups.value(order.aggregate);
    return dialect.orderItem(value, order.direction);
  });
  const rows = dialect.select({
    columns: [...keys.all.map(({ value, name }) => sql`${value} as ${name}`), ...carried.columns()],
    from: fromClause(scope),
    where: allOf([origin.correlation?.(scope.alias), readCondition(view, scope.alias, context, origin), filter]),
  });
  const names = keys.all.map(({ name }) => sql`${carried.rows}.${name}`);
  const columns = joinSql([...names, ...groups.columns()], ", ");
  const grouping = sql`group by ${joinSql(names, ", ")}${having ? sql` having ${having}` : sql``}`;
  const grouped = sql`select ${columns} from (${carried.withRanks(rows, names)}) ${carried.rows} ${grouping}`;
  const from = sql`(${grouped}) ${groups.alias}`;
  return dialect.jsonRows(fields, { from, orderBy, ...pageArguments(field, context) });
}

/** Columns of the groups: their keys, and aggregates over their rows. */
class GroupColumns {
  readonly alias: Alias;
  readonly #values: Sql[] = [];

  constructor(alias: Alias) {
    this.alias = alias;
  }

  key(name: Sql): Sql {
    return sql`${this.alias}.${name}`;
  }

  /** Adds an aggregate and returns its column. */
  value(aggregate: Sql): Sql {
    this.#values.push(aggregate);
    return sql`${this.alias}.${verbatim(`v${this.#values.length}`)}`;
  }

  /** Adds the aggregates of a member and returns its JSON. */
  json(member: JsonMember, { dialect }: BuildContext): JsonField {
    const shape = (each: JsonMember): JsonField => {
      if ("members" in each) return { key: each.key, value: dialect.jsonObject(each.members.map(shape)) };
      const value = this.value(each.value);
      return { key: each.key, value: each.holdsJson ? dialect.groups.storedJson(value) : value };
    };
    return shape(member);
  }

  columns(): readonly Sql[] {
    return this.#values.map((value, i) => sql`${value} as ${verbatim(`v${i + 1}`)}`);
  }
}

function keyFields(
  selection: readonly SelectedField[],
  names: readonly string[],
  keys: GroupKeys,
  groups: GroupColumns,
  context: BuildContext,
): readonly JsonField[] {
  return selection.map((field): JsonField => {
    const { key, meta } = field;
    if (meta.kind === "constant") return { key, value: context.dialect.textLiteral(meta.value) };
    if (meta.kind === "group_related") {
      const inside = keyFields(field.selection, [...names, meta.name], keys, groups, context);
      return { key, value: context.dialect.jsonObject(inside) };
    }
    const found = keys.find(placeOf(field, names, context), field.path);
    return { key, value: found.output(groups.key(found.name)) };
  });
}

/** Returns the key that a selected field refers to. */
function placeOf(field: SelectedField, names: readonly string[], context: BuildContext): KeyPlace {
  const { meta, args } = field;
  if (meta.kind === "column") return { names, column: meta.column };
  const column = columnOf(args.get("column"));
  if (meta.kind !== "group_derived" || column === undefined) throw misplaced(field);
  switch (meta.derived) {
    case "_part":
      return { names, column, part: partOf(args.get("part")) };
    case "_bucket":
      return { names, column, isBucket: true };
    case "_at":
      return { names, column, path: pathOf(args.get("path"), context) };
  }
}

interface Rows {
  readonly scope: Scope;
  readonly carried: Carried;
  readonly context: BuildContext;
}

/**
 * Returns the JSON list of the rows of each group. Rows beyond the limit are numbered but not converted to JSON.
 */
function nodesOf(
  view: TableView,
  field: SelectedField,
  keys: GroupKeys,
  { scope, carried, context }: Rows,
  jsonFields: JsonFields,
): Sql {
  const { dialect } = context;
  const args = listArguments(field, scope, context);
  const limit = effectiveLimit(args.limit, view.rowLimit, context);
  const row = dialect.jsonObject(jsonFields(field.selection, scope, scope.alias, context));
  if (!limit && !args.offset && args.orderBy.length === 0) {
    return dialect.jsonAggregate(
      carried.carry(`nodes ${field.key}`, () => row),
      {},
    );
  }
  const byKey = view.table.primaryKey.map((column) => sql`${scope.alias}.${verbatim(column.sql)}`);
  const partition = joinSql(
    keys.all.map(({ value }) => value),
    ", ",
  );
  // Window functions of SQL Server require an order, and rows without a key have none.
  const order = [args.orderBy, byKey].find((items) => items.length > 0) ?? keys.all.map(({ value }) => value);
  const number = sql`row_number() over (partition by ${partition} order by ${joinSql(order, ", ")})`;
  const position = carried.position(number, field.path);
  const isWithin = (place: Sql): Sql | undefined =>
    allOf([
      args.offset && sql`${place} > ${args.offset}`,
      limit && (args.offset ? sql`${place} <= ${args.offset} + ${limit}` : sql`${place} <= ${limit}`),
    ]);
  const within = isWithin(number);
  const node = carried.carry(`nodes ${field.key}`, () => (within ? dialect.jsonWhere(within, row) : row));
  return dialect.jsonAggregate(node, { filter: isWithin(position), position });
}
