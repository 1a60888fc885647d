/** Lowers the permissions of one role on one table to the IR of the role's module. */

import { invariant } from "../../runtime/values/errors.ts";
import { stringifyJson } from "../../runtime/values/json-number.ts";
import type { AnalyzedSelect } from "../2-analyze/analyzed-table.ts";
import type { BoolExp, QualifiedName } from "../catalog/model.ts";
import { dialectOf } from "../dialects/index.ts";
import { alwaysTrue, type ConditionContext, lowerPredicate } from "./conditions.ts";
import type { ParentRowsIr, RowFilterIr, TableRef, ViewIr } from "./ir.ts";
import { lowerRemoteRelationships } from "./remote-relationships.ts";
import { refTo } from "./table-names.ts";
import type { ViewInputs } from "./view-inputs.ts";
import { lowerWrites } from "./writes.ts";

export function lowerView(inputs: ViewInputs): ViewIr {
  const { role, kind, source, table, select, columns, relationships, readable } = inputs;
  const comment = select?.permission.comment;
  const context = { dialect: dialectOf(kind), tableOf: tableOf(inputs), viewed: new Set(inputs.viewedTables) };
  return {
    role,
    table: refTo(source, table),
    ...(comment ? { comment } : {}),
    readable,
    columns: columns.flatMap(({ field }) => (field === null ? [] : [field])),
    relationships: relationships.map(
      ({ relationship, target, description, aggregations, required, visibleWithRow }) => ({
        name: relationship.name,
        target: refTo(source, target),
        kind: relationship.kind,
        ...(description === undefined ? {} : { description }),
        required,
        aggregations: relationship.kind === "array" && aggregations,
        ...(visibleWithRow ? { visibleWithRow: { expression: expressionOf(visibleWithRow) } } : {}),
      }),
    ),
    ...(inputs.remoteRelationships.length > 0 && {
      remoteRelationships: lowerRemoteRelationships(inputs.remoteRelationships, kind),
    }),
    computedFields: inputs.computedFields.map(({ computed: { name }, target }) => ({
      name,
      ...(target ? { target: refTo(source, target) } : {}),
    })),
    ...(select && rowsOf(select, context)),
    ...(select?.parents && cellsOf(select, select.parents)),
    ...(select?.limit === undefined ? {} : { rowLimit: select.limit }),
    aggregations: readable && !table.native && (select?.aggregations ?? true),
    ...(select?.queryRootFields ? { queryRoots: select.queryRootFields } : {}),
    writes: lowerWrites(inputs.writes, inputs.role, refIn(source), context),
  };
}

const expressionOf = ({ filter }: { readonly filter: BoolExp | null }): string | null =>
  filter && stringifyJson(filter);

function rowsOf(select: AnalyzedSelect, context: ConditionContext): Pick<ViewIr, "visible" | "parents"> {
  const { parents } = select;
  const filterOf = ({ permission, filter }: AnalyzedSelect): RowFilterIr | undefined => {
    const condition = lowerPredicate(filter, context);
    return condition && { expression: stringifyJson(permission.permission.filter), condition };
  };
  if (parents === undefined) {
    const visible = filterOf(select);
    return visible ? { visible } : {};
  }
  const everyRow: Omit<ParentRowsIr, "role"> = {
    expression: "{}",
    condition: alwaysTrue(context.dialect),
    everyRow: true,
  };
  return { parents: parents.map((parent) => ({ role: parent.role, ...(filterOf(parent) ?? everyRow) })) };
}

/** Returns the fields that only some parents grant, with these parents' roles. */
function cellsOf(
  { columns, computedFields }: AnalyzedSelect,
  parents: readonly AnalyzedSelect[],
): Pick<ViewIr, "cells"> {
  const granting = (grants: (parent: AnalyzedSelect) => boolean) => parents.filter(grants).map(({ role }) => role);
  const cells = [
    ...columns
      .filter(({ model }) => model === undefined)
      .map(({ field, name }) => [field, granting((p) => p.columns.some((c) => c.name === name))] as const),
    ...computedFields.map(
      ({ name }) => [name, granting((p) => p.computedFields.some((c) => c.name === name))] as const,
    ),
  ].filter(([field, roles]) => field !== null && roles.length < parents.length);
  return cells.length === 0 ? {} : { cells: Object.fromEntries(cells) };
}

const refIn =
  (source: string) =>
  (table: QualifiedName): TableRef =>
    refTo(source, table);

function tableOf({ filterTables }: ViewInputs): (key: string) => QualifiedName {
  return (key) => {
    const table = filterTables[key];
    invariant(table, `a row filter refers to table ${key}, which is not tracked`);
    return table;
  };
}
