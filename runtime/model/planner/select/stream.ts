/** Selects the rows of a stream after its cursor, and the position after them. */

import { EngineError, pathTo } from "../../../values/errors.ts";
import { type Column, columnValue } from "../../definitions/column.ts";
import type { StreamDialect, StreamSql } from "../../definitions/dialect.ts";
import { boundSlot, cursorSlot, type ParameterSlot, tieSlot, type ValueSource } from "../../definitions/parameters.ts";
import { compared } from "../../definitions/scalar-type.ts";
import { allOf, parameter, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { TableDefinition } from "../../definitions/table.ts";
import type { TableView } from "../../definitions/view.ts";
import type { Input } from "../request/input.ts";
import type { SelectedField } from "../request/selected-field.ts";
import { effectiveLimit, limitValue } from "./arguments.ts";
import { type BuildContext, operand } from "./context.ts";
import { fromClause, readCondition, scopeOf } from "./scope.ts";
import { jsonFields } from "./select.ts";
import { condition } from "./where.ts";

export interface Stream extends StreamSql {
  /** Cursor column. */
  readonly column: Column;
  /** Columns of the key that order rows of equal value; empty if they are not ordered. */
  readonly keys: readonly Column[];
  /** Selects the upper bound of the stream, if it has one. */
  readonly highWaterMark?: Sql;
  /** Selects the initial position of a stream whose initial value is relative. */
  readonly start: Sql;
}

/**
 * Selects the rows of a view after the cursor, including all rows with the same position as the last one.
 * @throws EngineError `validation-failed`
 */
export function selectStream(view: TableView, field: SelectedField, context: BuildContext): Stream {
  const { naming } = view.table.source;
  const { column, value, descending } = readCursor(field, naming.field("initial_value"));
  const { stream: dialect } = context.dialect;
  if (dialect.hasOrder?.(column.type) === false) {
    const message = `values of type "${column.type.cast}" have no order, so they cannot be a stream's cursor: "${column.field}"`;
    throw invalid(pathTo(field.path, "args", "cursor"), message);
  }
  const batchSize = field.args.get(naming.field("batch_size"));
  const where = field.args.get("where");
  const scope = scopeOf(view, context);
  const fields = jsonFields(field.selection, scope, scope.alias, context);
  const place = columnValue(column, scope.alias, context.session);
  const source: ValueSource = value.kind === "value" ? value.source : { kind: "constant", value: null };
  const position = column.type.operand(parameter(cursorSlot(source, column.type.encode, value.path)));
  const start = sql`select ${dialect.relative?.now(position) ?? position}`;
  const size = batchSize && operand(batchSize, context.dialect.bigintParameterType, limitValue);
  const keys = descending ? [] : tieKeys(view.table, column, dialect);
  const { alias } = scope;
  const raw = ({ sql: name }: Column): Sql => sql`${alias}.${verbatim(name)}`;
  const highWaterMark = descending ? undefined : markOf([column, ...keys].map(raw), view.table.sql);
  const after = { column, value: place, operand: position };
  const ties = keys.map((key, i) => placed(key, raw(key), tieSlot(i)));
  const bound = [placed(column, place, boundSlot(0)), ...keys.map((key, i) => placed(key, raw(key), boundSlot(i + 1)))];
  const stream = dialect.select({
    fields,
    place,
    keys: keys.map(raw),
    type: column.type,
    descending,
    limit: effectiveLimit(size, view.rowLimit, context),
    from: fromClause(scope),
    where: allOf([
      descending ? compared(place, "<", position, column.type) : isBeyond([after, ...ties]),
      highWaterMark && isUpTo(bound),
      readCondition(view, scope.alias, context),
      where && condition(where, scope.alias, context),
    ]),
  });
  return { ...stream, column, keys, start, ...(highWaterMark && { highWaterMark }) };

  /** In descending order, rows of open transactions are behind the cursor in any case. */
  function markOf(places: readonly Sql[], table: string): Sql | undefined {
    const { holdStreamsBack = false } = context.options;
    if (holdStreamsBack === false) return undefined;
    const mark = dialect.highWaterMark(places, sql`${verbatim(table)} ${alias}`, column);
    if (!(mark instanceof EngineError)) return mark;
    if (holdStreamsBack) throw mark;
    return undefined;
  }
}

/** Returns the columns of the primary key that order rows of equal value; none if values are unique. */
function tieKeys({ primaryKey }: TableDefinition, column: Column, dialect: StreamDialect): readonly Column[] {
  if (!dialect.ordersTiesByKey) return [];
  const keys = primaryKey.filter((key) => key.field !== column.field);
  const isUnique = primaryKey.length === 1 && keys.length === 0;
  return isUnique || keys.some(({ type }) => dialect.hasOrder?.(type) === false) ? [] : keys;
}

/** A column of a row beside a column of a position. */
interface Placed {
  readonly column: Column;
  readonly value: Sql;
  readonly operand: Sql;
}

const placed = (column: Column, value: Sql, slot: ParameterSlot): Placed => {
  return { column, value, operand: column.type.operand(parameter(slot)) };
};

const comparedAt = ({ column: { type }, value, operand }: Placed, symbol: string): Sql =>
  compared(value, symbol, operand, type);

/** True for rows after a position. The first condition can use an index on the cursor column. */
function isBeyond([first, ...ties]: readonly Placed[]): Sql | undefined {
  if (first === undefined) return undefined;
  if (ties.length === 0) return comparedAt(first, ">");
  return allOf([comparedAt(first, ">="), either(comparedAt(first, ">"), isBeyond(ties))]);
}

/** True for rows up to a position. */
function isUpTo([first, ...ties]: readonly Placed[]): Sql | undefined {
  if (first === undefined) return undefined;
  if (ties.length === 0) return comparedAt(first, "<=");
  return allOf([comparedAt(first, "<="), either(comparedAt(first, "<"), isUpTo(ties))]);
}

const either = (one: Sql, other: Sql | undefined): Sql => (other === undefined ? one : sql`${one} or (${other})`);

interface StreamCursor {
  readonly column: Column;
  readonly value: Input;
  readonly descending: boolean;
}

/** Reads a cursor of one column and one direction. */
function readCursor({ args, path }: SelectedField, initialValue: string): StreamCursor {
  const cursor = args.get("cursor");
  const items = cursor?.kind === "list" ? cursor.items : cursor ? [cursor] : [];
  const objects = items.flatMap((item) => (item.kind === "object" ? [item] : []));
  const members = objects.flatMap((object) => {
    const given = new Map(object.members.map((member) => [member.name, member.value]));
    const value = given.get(initialValue);
    const ordering = given.get("ordering");
    const columns = value?.kind === "object" ? value.members : [];
    return columns.map((member) => ({ ...member, ordering }));
  });
  const [member, ...others] = members;
  const cursorPath = pathTo(path, "args", "cursor");
  if (member?.meta.kind !== "column") throw invalid(cursorPath, "one streaming column field is expected");
  if (others.length > 0) throw invalid(cursorPath, "multiple column cursors are not supported yet");
  const { ordering } = member;
  const descending = ordering?.kind === "enum" && ordering.meta.kind === "cursor_ordering" && ordering.meta.descending;
  return { column: member.meta.column, value: member.value, descending };
}

function invalid(path: string, message: string): EngineError {
  return new EngineError("validation-failed", path, message);
}
