/**
 * PostgreSQL with tables distributed by Citus. This file is the table of its capabilities: the planner selects the
 * forms of its statements by the members below, and by no other condition. The page on distributed databases lists the
 * reasons, with the error of the server for each other form.
 */
import { EngineError } from "../../../values/errors.ts";
import type { Column } from "../../definitions/column.ts";
import type { Dialect, SelectParts, WriteDialect } from "../../definitions/dialect.ts";
import type { DistributedDialect, ListsApart } from "../../definitions/distributed-dialect.ts";
import type { Place } from "../../definitions/distribution.ts";
import { allOf, joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { WrittenTable } from "../../definitions/written-table.ts";
import { postgres } from "./dialect.ts";
import { failUnlessAll, whereClause, writes } from "./writes.ts";

const list = (items: readonly Sql[]): Sql => joinSql(items, ", ");

/**
 * The server evaluates a sub-select with OFFSET by itself and sends its rows to the statement, instead of joining the
 * tables of both.
 */
const apart = (select: Sql): Sql => sql`(${select} offset 0)`;

const tuple = (values: readonly Sql[]): Sql => (values.length === 1 && values[0] ? values[0] : sql`(${list(values)})`);

const distributed: DistributedDialect = {
  joins(from: Place, to: Place, columns) {
    if (from.kind === "unknown" || to.kind === "unknown") return false;
    if (to.kind === "reference") return true;
    if (to.kind === "local") return from.kind === "local";
    if (from.kind !== "distributed" || to.kind !== "distributed" || from.colocation !== to.colocation) return false;
    if (from.column === undefined && to.column === undefined) return true;
    return columns.some(({ local, remote }) => local === from.column && remote === to.column);
  },
  rowsApart({ row, from, where, keys }, first) {
    const names = keys.map((key) => sql`${row}.${verbatim(key)}`);
    const distinct = first ? sql` distinct on (${list(names)})` : sql``;
    return apart(sql`select${distinct} ${row}.* from ${from}${whereClause([where])}`);
  },
  listsApart,
  aggregatesApart({ row, from, where, keys }, columns, object, alias) {
    const inner = [...keys.map((key) => sql`${row}.${verbatim(key)}`), ...columns];
    const names = keys.map((key) => sql`${alias}.${verbatim(key)}`);
    const rows = sql`select ${list(inner)} from ${from}${whereClause([where])}`;
    return apart(sql`select ${list(names)}, ${object} as v from (${rows}) ${alias} group by ${list(names)}`);
  },
  isAmong: (values, rows) => sql`(${tuple(values)} in (${rows} offset 0)) is true`,
  everywhere: (condition) => sql`(${condition}) is true`,
  restricts: (values, rows) => sql`${tuple(values)} in (${rows})`,
  rowPlace: verbatim(`"place of the row"`),
  placeOfWritten: (table, isGone) => (keyOf(table, isGone) && table.distribution) ?? { kind: "values" },
};

/** Returns the key columns that represent written rows; `undefined` if whole rows do. */
function keyOf({ primaryKey = [] }: WrittenTable, isGone: boolean): readonly Column[] | undefined {
  return isGone || primaryKey.length === 0 ? undefined : primaryKey;
}

/** Name of the number of a row within the rows with the same keys. */
const place = verbatim(`"place in list"`);

function listsApart({ row, from, where, keys, value, orderBy, limit, offset }: ListsApart): Sql {
  const names = keys.map((key) => sql`${row}.${verbatim(key)}`);
  const isNumbered = orderBy.length > 0 || limit !== undefined || offset !== undefined;
  const order = orderBy.length === 0 ? sql`` : sql` order by ${list(orderBy)}`;
  const number = isNumbered ? [sql`row_number() over (partition by ${list(names)}${order}) as ${place}`] : [];
  const rows = sql`select ${list([...names, sql`${value} as v`, ...number])} from ${from}${whereClause([where])}`;
  const kept = allOf([
    offset && sql`x.${place} > ${offset}`,
    limit && sql`x.${place} <= ${offset ? sql`${offset} + ${limit}` : limit}`,
  ]);
  const grouped = list(keys.map((key) => sql`x.${verbatim(key)}`));
  const lists = sql`json_agg(x.v${isNumbered ? sql` order by x.${place}` : sql``}) as v`;
  return apart(sql`select ${grouped}, ${lists} from (${rows}) x${whereClause([kept])} group by ${grouped}`);
}

// Writes. RETURNING accepts only immutable expressions without sub-selects, so it returns the columns, from which the
// rest of the statement builds JSON and evaluates checks. A shard has a row type of its own, so that rows pass between
// statements as key columns, or, once deleted, as JSON.

/** Name of the column with the truth that a row of an upsert is new. */
const isNew = verbatim(`"row is new"`);

const { finds: _finds, changes: _changes, ...common } = writes;

const citusWrites: WriteDialect = {
  ...common,
  update(parts) {
    if (parts.before === undefined) return common.update(parts);
    const message =
      "a role with several update permissions whose checks differ cannot update tables of Citus, which does not lock rows of several shards: give the role one update permission";
    throw new EngineError("not-supported", "$", message);
  },
  setsUser: false,
  returning: (row, kind) => [sql`${row}.*`, ...(kind === "upsert" ? [sql`${row}.xmax = 0 as ${isNew}`] : [])],
  wasInserted: (row) => sql`${row}.${isNew}`,
  written({ name, write, check, outputs }) {
    const guard = check && sql`(select ${failUnlessAll(check.condition)} from ${name} ${check.row})`;
    return sql`with ${name} as (${write}) select ${list([...outputs, ...(guard ? [guard] : [])])} from ${name}`;
  },
  rowsAsText(_, rows, table, isGone = false) {
    const key = keyOf(table, isGone);
    const value = key
      ? sql`json_build_array(${list(key.map(({ sql: name }) => sql`${rows}.${verbatim(name)}`))})`
      : sql`row_to_json(${rows}.*)`;
    return sql`coalesce(json_agg(${value})::text, '[]')`;
  },
  rowsFromText(texts, table, { isGone = false, shardKeys } = {}) {
    const json = joinSql(
      texts.map((text) => sql`${text}::jsonb`),
      " || ",
    );
    const key = keyOf(table, isGone);
    if (!key) {
      const columns = (table.columns ?? []).map(({ sql: name, type }) => verbatim(`${name} ${type.cast}`));
      return sql`(select r.*, row_number() over () as ${distributed.rowPlace} from jsonb_to_recordset(${json}) as r(${list(columns)}))`;
    }
    const names = key.map((_, i) => verbatim(`k${i + 1}`));
    const values = key.map(
      ({ type }, i) => sql`(e.v->>${verbatim(String(i))})::${verbatim(type.cast)} as ${names[i] ?? sql``}`,
    );
    const same = key.map(({ sql: name }, i) => sql`r.${verbatim(name)} = k.${names[i] ?? sql``}`);
    const shards = shardKeys?.map(({ column, type, texts: lists }) => {
      const arrays = lists.map((text) => sql`${text}::${verbatim(type.cast)}[]`);
      return sql`r.${verbatim(column)} = any (${joinSql(arrays, " || ")})`;
    });
    const keys = sql`select ${list(values)}, e.n from jsonb_array_elements(${json}) with ordinality as e(v, n)`;
    return sql`(select r.*, k.n as ${distributed.rowPlace} from ${verbatim(table.sql)} r join (${keys}) k on ${joinSql(same, " and ")}${whereClause(shards ?? [])})`;
  },
};

/**
 * Adds OFFSET to an order without a limit. Without it, servers aggregate the rows of each shard, and the lists of shards
 * are joined in no order.
 */
function inOrder<Parts extends Omit<SelectParts, "columns">>(parts: Parts): Parts {
  return parts.orderBy?.length && !parts.limit && !parts.offset ? { ...parts, offset: sql`0` } : parts;
}

export const citus: Dialect = {
  ...postgres,
  select: (parts) => postgres.select(inOrder(parts)),
  jsonRows: (fields, parts) => postgres.jsonRows(fields, inOrder(parts)),
  distributed,
  writes: citusWrites,
};
