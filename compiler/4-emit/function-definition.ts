/** What the modules of functions and enum tables declare, as values; see `role-definition.ts`. */
import { defineEnum } from "../../runtime/support/enum.ts";
import {
  argument,
  computedRows,
  computedValue,
  defineFunction,
  type FunctionDefinition,
  type TrackedFunction,
  trackFunction,
} from "../../runtime/support/function.ts";
import type { EnumDefinition } from "../../runtime/support/scalar-type.ts";
import type { SourceDefinition } from "../../runtime/support/table.ts";
import { type ComputedField, type TableView, toRows } from "../../runtime/support/view.ts";
import type { ComputedFieldIr, EnumIr, FunctionIr } from "../3-lower/ir.ts";
import type { Dialect } from "../dialects/dialect.ts";

export interface FunctionValue {
  readonly definition: FunctionDefinition;
  readonly tracked: TrackedFunction | undefined;
}

export function functionValue(
  { sql, displayName, arguments: args, returnsSet, tracked }: FunctionIr,
  source: SourceDefinition,
  dialect: Dialect,
): FunctionValue {
  const definition = defineFunction({
    source,
    sql,
    displayName,
    arguments: args.map(({ type, ...options }) => argument(dialect.scalarOf(type), options)),
    returnsSet,
  });
  return { definition, tracked: tracked && trackFunction(definition, tracked) };
}

/** @param target the view of the rows it gives, if it gives rows */
export function computedFieldValue(
  { type, name: _name, function: _function, ...options }: ComputedFieldIr,
  { definition }: FunctionValue,
  target: (() => TableView) | undefined,
  dialect: Dialect,
): ComputedField | undefined {
  if (type !== undefined) return computedValue(definition, dialect.scalarOf(type), options);
  return target && toRows(computedRows(definition, options), target);
}

export function enumValue({ type, values }: EnumIr, source: SourceDefinition): EnumDefinition {
  return defineEnum({
    source,
    type,
    values: Object.fromEntries(values.map(({ value, comment }) => [value, comment])),
  });
}
