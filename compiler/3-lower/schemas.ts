/** A role's schema depends on everything that the role's modules depend on; here are the parts of it. */
import type { QualifiedName } from "../catalog/model.ts";
import { type EnumInputs, enumsInSchema, type FunctionInputs, functionsInSchema } from "./function-inputs.ts";
import { lowerEnum, lowerFunction } from "./functions.ts";
import type { RoleAnalysis } from "./inherited-roles.ts";
import {
  nativeRowsViewInputs,
  type RoleInputs,
  roleInputs,
  type SourceInputs,
  sourceInputs,
  type TableInputs,
  tableInputs,
  type ViewInputs,
  viewInputs,
} from "./inputs.ts";
import type { RoleSchemaIr } from "./ir.ts";
import { nativeRowsOf, nativeTableInputs } from "./native-inputs.ts";
import { lowerRelay } from "./relay.ts";
import { usableTables } from "./role-tables.ts";
import { lowerRole } from "./roots.ts";
import { lowerSource, lowerTable } from "./tables.ts";
import { lowerViewShape } from "./views.ts";

export interface RoleSchemaInputs {
  readonly role: RoleInputs;
  readonly views: readonly {
    readonly source: SourceInputs;
    readonly table: TableInputs;
    readonly view: ViewInputs;
  }[];
  readonly functions: readonly FunctionInputs[];
  readonly enums: readonly EnumInputs[];
}

export function roleSchemaInputs(analysis: RoleAnalysis, role: string | null): RoleSchemaInputs {
  const fields = roleInputs(analysis, role);
  const views = [...usableTables(analysis, role)].map(([source, table]) => ({
    source: sourceInputs(source, analysis.options),
    table: tableInputs(source, table),
    view: viewInputs(source, table, role ?? ""),
  }));
  for (const source of analysis.sources.values()) {
    for (const query of nativeRowsOf(source, role)) {
      views.push({
        source: sourceInputs(source, analysis.options),
        table: nativeTableInputs(source, query),
        view: nativeRowsViewInputs(source, query, role ?? ""),
      });
    }
  }
  const called = new Set([
    ...[...fields.functions, ...fields.mutationFunctions].map((root) => keyOf(root.source, root.function)),
    ...views.flatMap(({ view }) => view.computedFields.map(({ computed }) => keyOf(view.source, computed.function))),
  ]);
  const referred = new Set(
    views.flatMap(({ table }) => Object.values(table.enumTables).map((name) => keyOf(table.source, name))),
  );
  const sources = [...analysis.sources.values()];
  return {
    role: fields,
    views,
    functions: sources.flatMap(functionsInSchema).filter((each) => called.has(keyOf(each.source, each.function))),
    enums: sources.flatMap(enumsInSchema).filter(({ source, table }) => referred.has(keyOf(source, table))),
  };
}

const keyOf = (source: string, { schema, name }: QualifiedName): string => JSON.stringify([source, schema, name]);

/** The schema of the Relay API. */
export function lowerRelaySchema(inputs: RoleSchemaInputs): RoleSchemaIr {
  return { ...lowerRoleSchema(inputs), relay: lowerRelay(inputs.role) };
}

export function lowerRoleSchema({ role, views, functions, enums }: RoleSchemaInputs): RoleSchemaIr {
  return {
    role: lowerRole(role),
    views: views.map(({ source, table, view }) => ({
      source: lowerSource(source),
      table: { ...lowerTable(table), joins: [] },
      view: lowerViewShape(view),
    })),
    functions: functions.map(lowerFunction),
    enums: enums.map(lowerEnum),
  };
}
