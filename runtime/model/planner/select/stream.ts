/** Selects the rows of a stream after its cursor, and the position after them. */

import { EngineError, pathTo } from "../../../values/errors.ts";
import { type Column, columnValue } from "../../definitions/column.ts";
import type { StreamSql } from "../../definitions/dialect.ts";
import { boundSlot, cursorSlot, type ValueSource } from "../../definitions/parameters.ts";
import { compared } from "../../definitions/scalar-type.ts";
import { allOf, parameter, type Sql, sql, verbatim } from "../../definitions/sql.ts";
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
  // In descending order, rows of open transactions are behind the cursor in any case.
  const isHeldBack = context.options.holdStreamsBack === true && !descending;
  const bound = isHeldBack ? compared(place, "<=", column.type.operand(parameter(boundSlot)), column.type) : undefined;
  const stream = dialect.select({
    fields,
    place,
    type: column.type,
    descending,
    limit: effectiveLimit(size, view.rowLimit, context),
    from: fromClause(scope),
    where: allOf([
      compared(place, descending ? "<" : ">", position, column.type),
      bound,
      readCondition(view, scope.alias, context),
      where && condition(where, scope.alias, context),
    ]),
  });
  if (!isHeldBack) return { ...stream, column, start };
  const { alias } = scope;
  const table = sql`${verbatim(view.table.sql)} ${alias}`;
  return {
    ...stream,
    column,
    start,
    highWaterMark: dialect.highWaterMark(sql`${alias}.${verbatim(column.sql)}`, table, column),
  };
}

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
