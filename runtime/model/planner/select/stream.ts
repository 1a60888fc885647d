/** A stream → the rows that come after its cursor, and where it stands then (`sql-generation.md` 12.2). */

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
  /** The column that it goes along. */
  readonly column: Column;
  /** Tells how far the stream may go; absent: as far as there are rows. */
  readonly frontier?: Sql;
  /** A statement of one value: where a stream begins that was given a relative text. */
  readonly start: Sql;
}

/**
 * The rows of a view that come after the cursor, with all those that are equal to the last of them.
 * @throws EngineError `validation-failed`
 */
export function selectStream(view: TableView, field: SelectedField, context: BuildContext): Stream {
  const { naming } = view.table.source;
  const { column, value, descending } = readCursor(field, naming.field("initial_value"));
  const { stream: dialect } = context.dialect;
  if (dialect.hasOrder?.(column.type) === false) {
    const message = `values of type "${column.type.cast}" have no order to stream along: "${column.field}"`;
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
  const asked = batchSize && operand(batchSize, context.dialect.bigintParameterType, limitValue);
  // Going down, a row that is committed late lies behind the cursor whatever is waited for.
  const isHeldBack = context.options.holdStreamsBack === true && !descending;
  const bound = isHeldBack ? compared(place, "<=", column.type.operand(parameter(boundSlot)), column.type) : undefined;
  const stream = dialect.select({
    fields,
    place,
    type: column.type,
    descending,
    limit: effectiveLimit(asked, view.rowLimit, context),
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
  return { ...stream, column, start, frontier: dialect.frontier(sql`${alias}.${verbatim(column.sql)}`, table, column) };
}

interface StreamCursor {
  readonly column: Column;
  readonly value: Input;
  readonly descending: boolean;
}

/** One column, in one direction. */
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
  const place = pathTo(path, "args", "cursor");
  if (member?.meta.kind !== "column") throw invalid(place, "one streaming column field is expected");
  if (others.length > 0) throw invalid(place, "multiple column cursors are not supported yet");
  const { ordering } = member;
  const descending = ordering?.kind === "enum" && ordering.meta.kind === "cursor_ordering" && ordering.meta.descending;
  return { column: member.meta.column, value: member.value, descending };
}

function invalid(path: string, message: string): EngineError {
  return new EngineError("validation-failed", path, message);
}
