/** Lowers the write permissions of one role on one table, with their column presets, to the IR of the role's module. */
import {
  type InputValidation,
  validateInput,
  type WebhookHeader,
} from "../../runtime/model/definitions/input-validation.ts";
import { stringifyJson } from "../../runtime/values/json-number.ts";
import type { AnalyzedColumn, Predicate, Presets } from "../2-analyze/analyzed-table.ts";
import type { BoolExp, QualifiedName, ValidateInput } from "../catalog/model.ts";
import { type ConditionContext, lowerPredicate, lowerValue } from "./conditions.ts";
import type { DeleteIr, InsertIr, PresetIr, RowFilterIr, TableRef, UpdateIr, WritesIr } from "./ir.ts";
import {
  type DeleteInputs,
  type InsertInputs,
  isBackendOnly,
  type UpdateInputs,
  type WriteInputs,
} from "./write-inputs.ts";

type RefTo = (table: QualifiedName) => TableRef;

/** @param role the role of the view; a permission may be inherited from a parent */
export function lowerWrites(
  { insert, update, delete: remove }: WriteInputs,
  role: string,
  refTo: RefTo,
  context: ConditionContext,
): WritesIr {
  return {
    ...(insert && { insert: lowerInsert(insert, role, refTo, context) }),
    ...(update && { update: lowerUpdate(update, role, context) }),
    ...(remove && { delete: lowerDelete(remove, role, context) }),
  };
}

function lowerInsert(inputs: InsertInputs, role: string, refTo: RefTo, context: ConditionContext): InsertIr {
  const { permission } = inputs;
  const definition = permission?.permission.permission;
  return {
    columns: fieldsOf(inputs.columns),
    nested: inputs.nested.map(({ relationship: { name, kind }, target }) => ({ name, kind, target: refTo(target) })),
    backendOnly: isBackendOnly(inputs),
    ...originOf(permission, role),
    ...validationOf(definition?.validate_input),
    presets: lowerPresets(permission?.presets ?? [], context),
    ...(permission?.parents
      ? merged(permission.parents, (parent) =>
          lowerInsert({ ...inputs, permission: parent, columns: parent.columns }, parent.role, refTo, context),
        )
      : named("check", permission?.check, definition?.check, context)),
  };
}

function lowerUpdate(inputs: UpdateInputs, role: string, context: ConditionContext): UpdateIr {
  const { permission } = inputs;
  const definition = permission?.permission.permission;
  const check = named("check", permission?.check, definition?.check, context);
  return {
    columns: fieldsOf(inputs.columns),
    backendOnly: isBackendOnly(inputs),
    ...originOf(permission, role),
    ...validationOf(definition?.validate_input),
    presets: lowerPresets(permission?.presets ?? [], context),
    ...(permission?.parents
      ? merged(permission.parents, (parent) =>
          lowerUpdate({ permission: parent, columns: parent.columns }, parent.role, context),
        )
      : {
          ...named("filter", permission?.filter, definition?.filter, context),
          ...(check.check || definition?.check == null ? check : { hasEmptyCheck: true }),
        }),
  };
}

function lowerDelete(inputs: DeleteInputs, role: string, context: ConditionContext): DeleteIr {
  const { permission } = inputs;
  const definition = permission?.permission.permission;
  return {
    backendOnly: isBackendOnly(inputs),
    ...originOf(permission, role),
    ...validationOf(definition?.validate_input),
    ...(permission?.parents
      ? merged(permission.parents, (parent) => lowerDelete({ permission: parent }, parent.role, context))
      : named("filter", permission?.filter, definition?.filter, context)),
  };
}

function merged<P extends { readonly role: string }, T>(parents: readonly P[], lower: (parent: P) => T) {
  return { merged: parents.map((parent) => ({ role: parent.role, ...lower(parent) })) };
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

/** Returns a condition as an object with one member; an empty object if it is true for every row. */
function named<K extends "check" | "filter">(
  name: K,
  predicate: Predicate | undefined,
  expression: BoolExp | null | undefined,
  context: ConditionContext,
): { readonly [key in K]?: RowFilterIr } {
  const condition = predicate && lowerPredicate(predicate, context);
  if (condition === undefined) return {};
  return { [name]: { expression: stringifyJson(expression ?? {}), condition } } as {
    readonly [key in K]: RowFilterIr;
  };
}
