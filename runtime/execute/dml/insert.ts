/** Plans the data operation `insert`. */

import type { Column } from "../../model/definitions/column.ts";
import type { InputRows, RowGroup } from "../../model/definitions/parameters.ts";
import type { InsertPermission, TableView } from "../../model/definitions/view.ts";
import { insertWrite } from "../../model/planner/mutate/insert.ts";
import type { OnConflict } from "../../model/planner/mutate/on-conflict.ts";
import { planWrites, type WritePlan } from "../../model/planner/mutate/plan.ts";
import { givenValidation } from "../../model/planner/mutate/validation.ts";
import { rowRuns } from "../../model/planner/request/rows.ts";
import type { BuildContext } from "../../model/planner/select/context.ts";
import type { DataInsert, DataOnConflict, JsonRow } from "../../values/data-operation.ts";
import { EngineError, invariant, pathTo } from "../../values/errors.ts";
import { writeResponse } from "./response.ts";
import { columnNamed, columnsNamed, type DataContext, missingColumnMessage } from "./tables.ts";
import { storedValue } from "./values.ts";

export function planInsert(
  operation: DataInsert,
  view: TableView,
  context: DataContext,
  build: BuildContext,
): WritePlan {
  const { objects, returning, on_conflict } = operation;
  const { path } = context;
  const { insert: permission } = view;
  invariant(permission, "the insert permission has been found");
  if (objects.length === 0) throw new EngineError("unexpected-payload", path, "objects should not be empty");
  const onConflict = on_conflict && conflictOf(on_conflict, objects, view, context);
  const writes = rowRuns(objects).map(({ start, end, keys }) => {
    const columns = (keys ?? []).map((key) => ({ key, column: insertable(context, view, permission, key, start) }));
    const group: RowGroup = {
      values: objects
        .slice(start, end)
        .map((object) => Object.fromEntries(columns.map(({ key, column }) => [key, storedValue(object[key], column)]))),
      pathOf: (index) => pathTo(path, "objects", start + index),
      literal: false,
    };
    const rows: InputRows = { key: String(start), of: () => [group] };
    return insertWrite({ view, permission, columns, rows, onConflict, path: pathTo(path, "objects", start) }, build);
  });
  const columns =
    returning && columnsNamed(context, view, returning, { columns: view.columns, verb: "select", at: ["returning"] });
  return planWrites(
    {
      view,
      writes,
      validations: [
        ...givenValidation(permission.validation, objects),
        ...givenValidation(
          onConflict?.update?.permission.validation,
          objects.map((row) => ({ where: {}, $set: row })),
        ),
      ],
      field: writeResponse(columns, returning ?? [], path),
      form: "response",
      path,
    },
    build,
  );
}

function insertable(
  { role, path }: DataContext,
  view: TableView,
  { columns, presets }: InsertPermission,
  name: string,
  row: number,
): Column {
  const column = columnNamed(view, columns, name);
  if (column) return column;
  const at = pathTo(path, "objects", row);
  const quoted = view.table.source.dialect.quoteIdentifier(name);
  if (presets.some((preset) => preset.column === quoted)) {
    const message = `column "${name}" is not insertable for role "${role}"; its value is predefined in permission`;
    throw new EngineError("not-supported", at, message);
  }
  throw new EngineError("permission-denied", at, missingColumnMessage(role, "insert", name));
}

function conflictOf(
  { action, constraint, constraint_on }: DataOnConflict,
  objects: readonly JsonRow[],
  view: TableView,
  context: DataContext,
): OnConflict {
  const { path, role, schema } = context;
  const at = pathTo(path, "on_conflict");
  if (view.table.source.dialect.upsert.argument !== "on_conflict") {
    throw new EngineError("not-supported", at, "the database of this source does not support 'on_conflict'");
  }
  if (constraint !== undefined && constraint_on !== undefined) {
    throw new EngineError("unexpected-payload", at, "'constraint' and 'constraint_on' cannot be set at a time");
  }
  const target = conflictTarget(constraint, constraint_on ?? [], view, context);
  if (action === "ignore") return { constraint: target };
  if (constraint === undefined && constraint_on === undefined) {
    const message = "Expecting 'constraint' or 'constraint_on' when the 'action' is 'update'";
    throw new EngineError("unexpected-payload", at, message);
  }
  const { update: permission } = view;
  if (!schema.types.allows(permission)) {
    const message = `upsert is not allowed for role "${role}" since update permissions are not defined`;
    throw new EngineError("permission-denied", path, message);
  }
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const columns = names.map((name) => {
    const column = columnNamed(view, permission.columns, name);
    if (column) return column;
    throw new EngineError("permission-denied", at, missingColumnMessage(role, "update", name));
  });
  const quote = view.table.source.dialect.quoteIdentifier;
  const key = (constraint_on ?? view.table.constraints.find(({ name }) => name === constraint)?.columns ?? []).map(
    quote,
  );
  return { constraint: target, update: { permission, table: view.table, key, columns, path: at } };
}

function conflictTarget(
  constraint: string | undefined,
  columns: readonly string[],
  view: TableView,
  { path, role }: DataContext,
): OnConflict["constraint"] {
  const { table } = view;
  if (constraint === undefined) {
    const quoted = columns.map((name, i) => {
      const column = columnNamed(view, view.insert?.columns ?? [], name) ?? columnNamed(view, view.columns, name);
      if (column) return column.sql;
      throw new EngineError(
        "permission-denied",
        pathTo(path, "on_conflict", "constraint_on", i),
        missingColumnMessage(role, "select", name),
      );
    });
    return { columns: quoted };
  }
  const found = table.constraints.find(({ name }) => name === constraint);
  if (found) return { name: found.sql };
  const message = `constraint "${constraint}" for table "${table.displayName}" does not exist`;
  throw new EngineError("unexpected", pathTo(path, "on_conflict", "constraint"), message);
}
