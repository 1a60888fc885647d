/** Plans the fields of a mutation that write to tables. */

import { assertNever, invariant, pathTo } from "../../../values/errors.ts";
import type { Alias } from "../../definitions/column.ts";
import type { WriteRoot } from "../../definitions/roots.ts";
import type { Sql } from "../../definitions/sql.ts";
import type { TableView } from "../../definitions/view.ts";
import type { TypeRegistry } from "../../schema/registry.ts";
import type { Input } from "../request/input.ts";
import type { SelectedField } from "../request/selected-field.ts";
import { type BuildContext, keyCondition } from "../select/context.ts";
import { type Arguments, assignmentsOf, membersOf, whereOf } from "./arguments.ts";
import { planInsert } from "./nested.ts";
import {
  addReads,
  addWrites,
  planWrites,
  type ResultPiece,
  readsOf,
  resultPieces,
  type WritePlan,
  WriteSteps,
} from "./plan.ts";
import { hasRelated, RelatedUpdates, type UpdateLevel } from "./related.ts";
import { deleteWrite, updateWrite } from "./update.ts";
import { argumentsValidation, keyValidation } from "./validation.ts";
import type { Write } from "./written.ts";

/**
 * Plans a field that writes to a table.
 * @throws EngineError `validation-failed`
 */
export function planWrite(
  field: SelectedField,
  root: WriteRoot,
  types: TypeRegistry,
  context: BuildContext,
): WritePlan {
  const view = root.view();
  switch (root.kind) {
    case "insert":
      return planInsert(view, field, "objects", types, context);
    case "insert_one":
      return planInsert(view, field, "object", types, context);
    case "update":
      return planUpdate(view, field, types, context);
    case "update_by_pk":
      return planUpdateByPk(view, field, types, context);
    case "update_many":
      return planUpdates(view, field, types, context);
    case "delete":
      return planDelete(view, field, "response", whereOf(field.args.get("where"), context), context);
    case "delete_by_pk":
      return planDelete(view, field, "object", byKey(view, field.args, context), context);
    default:
      return assertNever(root.kind);
  }
}

function byKey(view: TableView, values: Arguments, context: BuildContext): (row: Alias) => Sql | undefined {
  return (row) => keyCondition(view, row, values, context);
}

function planUpdate(view: TableView, field: SelectedField, types: TypeRegistry, context: BuildContext): WritePlan {
  const { args } = field;
  const path = pathTo(field.path, "args");
  const where = whereOf(args.get("where"), context);
  if (hasRelated(view, args)) return planRelated(field, "response", { view, args, where, path }, types, context);
  const write = updateOf(view, args, path, where, context);
  const validations = argumentsValidation(view.update?.validation, [args]);
  return planWrites({ view, writes: write ? [write] : [], validations, field, form: "response", path: "$" }, context);
}

function planUpdateByPk(view: TableView, field: SelectedField, types: TypeRegistry, context: BuildContext): WritePlan {
  const { naming } = view.table.source;
  const { args } = field;
  const path = pathTo(field.path, "args");
  const where = byKey(view, membersOf(args.get(naming.field("pk_columns"))), context);
  if (hasRelated(view, args)) return planRelated(field, "object", { view, args, where, path }, types, context);
  const write = updateOf(view, args, path, where, context);
  if (!write) return { source: view.table.source.name, validations: [], steps: [], result: ["{}"] };
  const validations = argumentsValidation(view.update?.validation, [args]);
  return planWrites({ view, writes: [write], validations, field, form: "object", path: "$" }, context);
}

type Level = Omit<UpdateLevel, "stepPath" | "single" | "readsChanges">;

/** Plans an update with writes of related rows. */
function planRelated(
  field: SelectedField,
  form: "response" | "object",
  level: Level,
  types: TypeRegistry,
  context: BuildContext,
): WritePlan {
  const updates = new RelatedUpdates(types, context);
  const result = addRelated(field, form, level, updates);
  const { validations, steps } = updates;
  return { source: level.view.table.source.name, validations, steps: steps.steps, result };
}

function addRelated(
  field: SelectedField,
  form: "response" | "object",
  level: Level,
  updates: RelatedUpdates,
): readonly ResultPiece[] {
  const { view } = level;
  const { changes, rows } = readsOf(field, form);
  const added = updates.add({ ...level, stepPath: "$", single: form === "object", readsChanges: changes });
  const read = rows || changes ? [added.written] : [];
  return resultPieces(field, form, addReads({ view, field, form }, read, updates.steps), added.counts);
}

/** Plans several updates that run in order; runs no statement if none changes anything. */
function planUpdates(view: TableView, field: SelectedField, types: TypeRegistry, context: BuildContext): WritePlan {
  const updates = field.args.get("updates");
  const items = updates?.kind === "list" ? updates.items : [];
  if (items.some((item) => hasRelated(view, membersOf(item)))) {
    return planRelatedUpdates(view, field, items, types, context);
  }
  const changes = items.map((item): { readonly args: Arguments; readonly write: Write | undefined } => {
    const args = membersOf(item);
    return { args, write: updateOf(view, args, item.path, whereOf(args.get("where"), context), context) };
  });
  const { name: source } = view.table.source;
  const effective = changes.flatMap(({ args, write }) => (write ? [args] : []));
  if (effective.length === 0) return { source, validations: [], steps: [], result: ["[]"] };
  const steps = new WriteSteps(context);
  const results = changes.map(({ write }, i): readonly ResultPiece[] => [
    i === 0 ? "[" : ",",
    ...addWrites({ view, writes: write ? [write] : [], field, form: "response", path: "$" }, steps),
  ]);
  const validations = argumentsValidation(view.update?.validation, effective);
  return { source, validations, steps: steps.steps, result: [...results.flat(), "]"] };
}

function planRelatedUpdates(
  view: TableView,
  field: SelectedField,
  items: readonly Input[],
  types: TypeRegistry,
  context: BuildContext,
): WritePlan {
  const updates = new RelatedUpdates(types, context);
  const results = items.map((item, i): readonly ResultPiece[] => {
    const args = membersOf(item);
    const where = whereOf(args.get("where"), context);
    const changes = hasRelated(view, args) || updateOf(view, args, item.path, where, context) !== undefined;
    const result = changes
      ? addRelated(field, "response", { view, args, where, path: item.path }, updates)
      : resultPieces(field, "response", [], []);
    return [i === 0 ? "[" : ",", ...result];
  });
  const { validations, steps } = updates;
  return { source: view.table.source.name, validations, steps: steps.steps, result: [...results.flat(), "]"] };
}

function updateOf(
  view: TableView,
  args: Arguments,
  path: string,
  where: (row: Alias) => Sql | undefined,
  context: BuildContext,
): Write | undefined {
  const { update: permission } = view;
  invariant(permission, "the update permission has been found");
  return updateWrite({ view, permission, assignments: assignmentsOf(view, args, path), where, path }, context);
}

function planDelete(
  view: TableView,
  field: SelectedField,
  form: "response" | "object",
  where: (row: Alias) => Sql | undefined,
  context: BuildContext,
): WritePlan {
  const { delete: permission } = view;
  invariant(permission, "the delete permission has been found");
  const writes = [deleteWrite({ view, permission, where }, context)];
  const validation = form === "object" ? keyValidation : argumentsValidation;
  const validations = validation(permission.validation, [field.args]);
  return planWrites({ view, writes, validations, field, form, path: "$" }, context);
}
