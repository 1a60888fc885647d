/** Plans the fields of a mutation that write to tables. */

import { assertNever, EngineError, invariant, pathTo } from "../../../values/errors.ts";
import type { Alias, Column } from "../../definitions/column.ts";
import type { UpdateOperator } from "../../definitions/dialect.ts";
import type { WriteRoot } from "../../definitions/roots.ts";
import { type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { TableView } from "../../definitions/view.ts";
import type { TypeRegistry } from "../../schema/registry.ts";
import type { Input, InputMember } from "../request/input.ts";
import type { SelectedField } from "../request/selected-field.ts";
import { type BuildContext, keyCondition, operand } from "../select/context.ts";
import { condition } from "../select/where.ts";
import { columnEncoder } from "./insert.ts";
import { planInsert } from "./nested.ts";
import { addWrites, planWrites, type ResultPiece, type WritePlan, WriteSteps } from "./plan.ts";
import { type Assignment, deleteWrite, updateWrite } from "./update.ts";
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
      return planUpdate(view, field, field.args, pathTo(field.path, "args"), context);
    case "update_by_pk":
      return planUpdateByPk(view, field, context);
    case "update_many":
      return planUpdates(view, field, context);
    case "delete":
      return planDelete(view, field, "response", whereOf(field.args.get("where"), context), context);
    case "delete_by_pk":
      return planDelete(view, field, "object", byKey(view, field.args, context), context);
    default:
      return assertNever(root.kind);
  }
}

type Arguments = ReadonlyMap<string, Input>;

function whereOf(input: Input | undefined, context: BuildContext): (row: Alias) => Sql | undefined {
  return (row) => (input ? condition(input, row, context) : undefined);
}

function byKey(view: TableView, values: Arguments, context: BuildContext): (row: Alias) => Sql | undefined {
  return (row) => keyCondition(view, row, values, context);
}

function planUpdate(
  view: TableView,
  field: SelectedField,
  args: Arguments,
  path: string,
  context: BuildContext,
): WritePlan {
  const write = updateOf(view, args, path, whereOf(args.get("where"), context), context);
  const validations = argumentsValidation(view.update?.validation, [args]);
  return planWrites({ view, writes: write ? [write] : [], validations, field, form: "response", path: "$" }, context);
}

function planUpdateByPk(view: TableView, field: SelectedField, context: BuildContext): WritePlan {
  const { naming } = view.table.source;
  const where = byKey(view, membersOf(field.args.get(naming.field("pk_columns"))), context);
  const write = updateOf(view, field.args, pathTo(field.path, "args"), where, context);
  if (!write) return { source: view.table.source.name, validations: [], steps: [], result: ["{}"] };
  const validations = argumentsValidation(view.update?.validation, [field.args]);
  return planWrites({ view, writes: [write], validations, field, form: "object", path: "$" }, context);
}

/** Plans several updates that run in order; runs no statement if none changes anything. */
function planUpdates(view: TableView, field: SelectedField, context: BuildContext): WritePlan {
  const updates = field.args.get("updates");
  const items = updates?.kind === "list" ? updates.items : [];
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

function updateOf(
  view: TableView,
  args: Arguments,
  path: string,
  where: (row: Alias) => Sql | undefined,
  context: BuildContext,
): Write | undefined {
  const { update: permission } = view;
  invariant(permission, "the update permission has been found");
  const assignments = view.table.source.dialect.updateOperators.flatMap((operator) =>
    operatorAssignments(operator, args.get(view.table.source.naming.field(operator.name))),
  );
  checkColumns(assignments, path);
  return updateWrite({ view, permission, assignments, where, path }, context);
}

function operatorAssignments(operator: UpdateOperator, input: Input | undefined): Assignment[] {
  if (input?.kind !== "object") return [];
  return input.members.map((member): Assignment => {
    const column = columnOf(member);
    const type = operator.operand ?? column.type;
    const value = (): Sql => operand(member.value, type, columnEncoder({ type, nullable: column.nullable }));
    return { column, value: (row) => operator.sql(sql`${row}.${verbatim(column.sql)}`, value()) };
  });
}

function columnOf({ name, meta }: InputMember): Column {
  invariant(meta.kind === "column", `${name} is a column`);
  return meta.column;
}

function checkColumns(assignments: readonly Assignment[], path: string): void {
  const seen = new Set<Column>();
  const repeated = new Set<string>();
  for (const { column } of assignments) {
    if (seen.has(column)) repeated.add(column.field);
    seen.add(column);
  }
  if (repeated.size === 0) return;
  const names = [...repeated].map((name) => `'${name}'`).join(", ");
  throw new EngineError("validation-failed", path, `Column found in multiple operators: [${names}].`);
}

function membersOf(input: Input | undefined): Arguments {
  return new Map(input?.kind === "object" ? input.members.map(({ name, value }) => [name, value]) : []);
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
