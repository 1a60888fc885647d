/** What one role may do with one table: its permissions → the IR of a role's module. */

import { invariant } from "../../runtime/support/errors.ts";
import type { QualifiedName } from "../catalog/model.ts";
import { lowerPredicate } from "./conditions.ts";
import type { ViewInputs } from "./inputs.ts";
import type { TableRef, ViewIr, ViewShapeIr } from "./ir.ts";
import { dialectFor } from "./tables.ts";
import { lowerWriteShapes, lowerWrites } from "./writes.ts";

export function lowerView(inputs: ViewInputs): ViewIr {
  const { kind, select } = inputs;
  const comment = select?.permission.comment;
  const context = { dialect: dialectFor(kind), tableOf: tableOf(inputs) };
  const condition = select && lowerPredicate(select.filter, context);
  return {
    ...lowerViewShape(inputs),
    ...(comment ? { comment } : {}),
    ...(condition ? { visible: { expression: JSON.stringify(select.permission.permission.filter), condition } } : {}),
    ...(select?.limit === undefined ? {} : { rowLimit: select.limit }),
    writes: lowerWrites(inputs.writes, refIn(inputs.source), context),
  };
}

/** Without the rows: what the role's schema is made of. */
export function lowerViewShape(inputs: ViewInputs): ViewShapeIr {
  const { role, source, table, select, columns, relationships, readable } = inputs;
  return {
    role,
    table: refTo(source, table),
    columns: columns.flatMap(({ field }) => (field === null ? [] : [field])),
    relationships: relationships.map(({ relationship, target, aggregations }) => ({
      name: relationship.name,
      target: refTo(source, target),
      kind: relationship.kind,
      required: relationship.kind === "object" && relationship.required,
      aggregations: relationship.kind === "array" && aggregations,
    })),
    computedFields: inputs.computedFields.map(({ computed: { name }, target }) => ({
      name,
      ...(target ? { target: refTo(source, target) } : {}),
    })),
    aggregations: readable && (select?.aggregations ?? true),
    readable,
    writes: lowerWriteShapes(inputs.writes, refIn(source)),
  };
}

export function refTo(source: string, { schema, name }: QualifiedName): TableRef {
  return { source, schema, name };
}

const refIn =
  (source: string) =>
  (table: QualifiedName): TableRef =>
    refTo(source, table);

function tableOf({ filterTables }: ViewInputs): (key: string) => QualifiedName {
  return (key) => {
    const table = filterTables[key];
    invariant(table, `a row filter names the table ${key}, which is not tracked`);
    return table;
  };
}
