/** What one role may write to one table: its permissions → the IR of a role's module. */
import { type InputValidation, validateInput, type WebhookHeader } from "../../runtime/support/input-validation.ts";
import type { AnalyzedColumn, Predicate, Presets } from "../2-analyze/analysis.ts";
import type { BoolExp, QualifiedName, ValidateInput } from "../catalog/model.ts";
import { type ConditionContext, lowerPredicate, lowerValue } from "./conditions.ts";
import type { InsertShapeIr, PresetIr, RowFilterIr, TableRef, UpdateShapeIr, WriteShapesIr, WritesIr } from "./ir.ts";
import { type InsertInputs, isBackendOnly, type UpdateInputs, type WriteInputs } from "./write-inputs.ts";

export function lowerWrites(inputs: WriteInputs, role: string, refTo: RefTo, context: ConditionContext): WritesIr {
  const { insert, update, delete: remove } = lowerWriteShapes(inputs, refTo);
  const insertPermission = inputs.insert?.permission;
  const updatePermission = inputs.update?.permission;
  const deletePermission = inputs.delete?.permission;
  const check = named("check", updatePermission?.check, updatePermission?.permission.permission.check, context);
  return {
    ...(insert && {
      insert: {
        ...insert,
        ...originOf(insertPermission, role),
        ...validationOf(insertPermission?.permission.permission.validate_input),
        presets: lowerPresets(insertPermission?.presets ?? [], context),
        ...named("check", insertPermission?.check, insertPermission?.permission.permission.check, context),
      },
    }),
    ...(update && {
      update: {
        ...update,
        ...originOf(updatePermission, role),
        ...validationOf(updatePermission?.permission.permission.validate_input),
        presets: lowerPresets(updatePermission?.presets ?? [], context),
        ...named("filter", updatePermission?.filter, updatePermission?.permission.permission.filter, context),
        ...(check.check || updatePermission?.permission.permission.check == null
          ? check
          : { hasEmptyCheck: true as const }),
      },
    }),
    ...(remove && {
      delete: {
        ...remove,
        ...originOf(deletePermission, role),
        ...validationOf(deletePermission?.permission.permission.validate_input),
        ...named("filter", deletePermission?.filter, deletePermission?.permission.permission.filter, context),
      },
    }),
  };
}

type RefTo = (table: QualifiedName) => TableRef;

/** Without conditions and presets: what the role's schema is made of. */
export function lowerWriteShapes({ insert, update, delete: remove }: WriteInputs, refTo: RefTo): WriteShapesIr {
  return {
    ...(insert && { insert: insertShape(insert, refTo) }),
    ...(update && { update: updateShape(update) }),
    ...(remove && { delete: { backendOnly: isBackendOnly(remove) } }),
  };
}

function insertShape(inputs: InsertInputs, refTo: RefTo): InsertShapeIr {
  return {
    columns: fieldsOf(inputs.columns),
    nested: inputs.nested.map(({ relationship: { name, kind }, target }) => ({ name, kind, target: refTo(target) })),
    backendOnly: isBackendOnly(inputs),
  };
}

function updateShape(inputs: UpdateInputs): UpdateShapeIr {
  return { columns: fieldsOf(inputs.columns), backendOnly: isBackendOnly(inputs) };
}

const fieldsOf = (columns: readonly AnalyzedColumn[]): readonly string[] =>
  columns.flatMap(({ field }) => (field === null ? [] : [field]));

function originOf(
  analyzed: { readonly role: string; readonly permission: { readonly comment?: string | null } } | undefined,
  role: string,
): { readonly comment?: string; readonly parent?: string } {
  if (analyzed === undefined) return {};
  const { role: owner, permission } = analyzed;
  const { comment } = permission;
  return { ...(comment ? { comment } : {}), ...(owner === role ? {} : { parent: owner }) };
}

function validationOf(given: ValidateInput | undefined): { readonly validation?: InputValidation } {
  if (given === undefined) return {};
  const { url, headers = [], timeout, forward_client_headers: forwardClientHeaders = false } = given.definition;
  const lowered = headers.map((header): WebhookHeader => {
    const { name } = header;
    return "value" in header ? { name, value: header.value } : { name, valueFromEnv: header.value_from_env };
  });
  const options = {
    headers: lowered,
    forwardClientHeaders,
    ...(timeout === undefined ? {} : { timeoutSeconds: timeout }),
  };
  return { validation: validateInput(url, options) };
}

function lowerPresets(presets: Presets, context: ConditionContext): readonly PresetIr[] {
  const { dialect } = context;
  return presets.map(({ column, value }) => ({
    column: dialect.runtime.dialect.quoteIdentifier(column.name),
    value: lowerValue(value, column.shape.type, dialect),
  }));
}

/** A condition as a member, unless it holds for every row. */
function named<K extends "check" | "filter">(
  name: K,
  predicate: Predicate | undefined,
  expression: BoolExp | null | undefined,
  context: ConditionContext,
): { readonly [key in K]?: RowFilterIr } {
  const condition = predicate && lowerPredicate(predicate, context);
  if (condition === undefined) return {};
  return { [name]: { expression: JSON.stringify(expression ?? {}), condition } } as {
    readonly [key in K]: RowFilterIr;
  };
}
