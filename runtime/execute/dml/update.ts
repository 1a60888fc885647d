/** Plans the data operations `update` and `delete`. */

import type { Column } from "../../model/definitions/column.ts";
import { type Sql, sql, verbatim } from "../../model/definitions/sql.ts";
import type { TableView } from "../../model/definitions/view.ts";
import type { UpdatePermission } from "../../model/definitions/write.ts";
import { columnEncoder } from "../../model/planner/mutate/insert.ts";
import { type ExpectedRows, planWrites, type WritePlan } from "../../model/planner/mutate/plan.ts";
import { type Assignment, deleteWrite, updateWrite } from "../../model/planner/mutate/update.ts";
import { givenValidation } from "../../model/planner/mutate/validation.ts";
import { type BuildContext, operand } from "../../model/planner/select/context.ts";
import { condition } from "../../model/planner/select/where.ts";
import type { DataDelete, DataUpdate, DataUpdateRows } from "../../values/data-operation.ts";
import { EngineError, invariant, pathTo } from "../../values/errors.ts";
import { filterInput, scalarInput } from "./filter.ts";
import { writeResponse } from "./response.ts";
import { columnNamed, columnsNamed, type DataContext, missingColumnMessage } from "./tables.ts";
import { storedValue } from "./values.ts";

export function planUpdate(
  operation: DataUpdate,
  view: TableView,
  context: DataContext,
  build: BuildContext,
  expects?: Omit<ExpectedRows, "column">,
): WritePlan {
  const { path } = context;
  const { update: permission } = view;
  invariant(permission, "the update permission has been found");
  const assignments = assignmentsOf(operation, view, permission, context);
  const filter = filterInput(context, view, operation.where, pathTo(path, "where"));
  const where = (row: Sql) => condition(filter, row, build);
  const write = updateWrite({ view, permission, assignments, where, path }, build);
  if (!write) {
    throw new EngineError("unexpected-payload", path, "atleast one of $set, $inc, $mul has to be present");
  }
  return planWrites(
    {
      view,
      writes: [write],
      validations: givenValidation(permission.validation, [changesOf(operation)]),
      field: responseOf(operation, view, context),
      form: "response",
      path,
      ...(expects && { expects }),
    },
    build,
  );
}

/** Returns a plan for each update, which fails unless its condition matches one row. */
export function planUpdateRows(
  { updates, ...rest }: DataUpdateRows,
  view: TableView,
  context: DataContext,
  build: BuildContext,
): readonly WritePlan[] {
  return updates.map((update, i) => {
    const path = pathTo(context.path, "updates", i);
    const message =
      "no row or more than one matches the condition, or an access filter hides the row; no row was changed";
    const operation: DataUpdate = { ...rest, ...update, type: "update", $inc: {}, $mul: {}, $default: [] };
    return planUpdate(operation, view, { ...context, path }, build, { rows: 1, path, message });
  });
}

/** Returns the arguments that input validation receives. */
function changesOf({ where, $set, $inc, $mul, $default }: DataUpdate): Readonly<Record<string, unknown>> {
  return { where, $set, $inc, $mul, $default };
}

export function planDelete(
  operation: DataDelete,
  view: TableView,
  context: DataContext,
  build: BuildContext,
): WritePlan {
  const { path } = context;
  const { delete: permission } = view;
  invariant(permission, "the delete permission has been found");
  const filter = filterInput(context, view, operation.where, pathTo(path, "where"));
  const write = deleteWrite({ view, permission, where: (row) => condition(filter, row, build) }, build);
  return planWrites(
    {
      view,
      writes: [write],
      validations: givenValidation(permission.validation, [{ where: operation.where }]),
      field: responseOf(operation, view, context),
      form: "response",
      path,
    },
    build,
  );
}

function responseOf({ returning }: DataUpdate | DataDelete, view: TableView, context: DataContext) {
  const columns =
    returning && columnsNamed(context, view, returning, { columns: view.columns, verb: "select", at: ["returning"] });
  return writeResponse(columns, returning ?? [], context.path);
}

function assignmentsOf(
  operation: DataUpdate,
  view: TableView,
  permission: UpdatePermission,
  context: DataContext,
): readonly Assignment[] {
  const { path } = context;
  const columnOf = (key: string, name: string): Column => updatable(context, view, permission, key, name);
  const values = (
    key: "$set" | "$inc" | "$mul",
    value: (column: Column, operand: Sql, row: Sql) => Sql,
  ): Assignment[] =>
    Object.entries(operation[key]).map(([name, argument]) => {
      const column = columnOf(key, name);
      const input = scalarInput(storedValue(argument, column), pathTo(path, key, name));
      return { column, value: (row) => value(column, operand(input, column.type, columnEncoder(column)), row) };
    });
  const old = (column: Column, row: Sql): Sql => sql`${row}.${verbatim(column.sql)}`;
  return [
    ...values("$set", (_, argument) => argument),
    ...values("$inc", (column, argument, row) => sql`${old(column, row)} + ${argument}`),
    ...values("$mul", (column, argument, row) => sql`${old(column, row)} * ${argument}`),
    ...operation.$default.map(
      (name): Assignment => ({ column: columnOf("$default", name), value: () => sql`default` }),
    ),
  ];
}

function updatable(
  { role, path }: DataContext,
  view: TableView,
  { columns, presets }: UpdatePermission,
  key: string,
  name: string,
): Column {
  const column = columnNamed(view, columns, name);
  if (column) return column;
  const at = pathTo(path, key);
  const quoted = view.table.source.dialect.quoteIdentifier(name);
  if (presets.some((preset) => preset.column === quoted)) {
    const message = `column "${name}" is not updatable for role "${role}"; its value is predefined in permission`;
    throw new EngineError("not-supported", at, message);
  }
  throw new EngineError("permission-denied", at, missingColumnMessage(role, "update", name));
}
