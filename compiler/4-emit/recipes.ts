/** How each file is made: the parts of the Analysis that it depends on, and its text from them. */
import type { Analysis, AnalyzedSource, AnalyzedTable } from "../2-analyze/analysis.ts";
import { adminRole } from "../3-lower/admin-role.ts";
import { enumsInSchema, functionsInSchema } from "../3-lower/function-inputs.ts";
import { lowerEnum, lowerFunction } from "../3-lower/functions.ts";
import type { RoleAnalysis } from "../3-lower/inherited-roles.ts";
import type { RoleParts, RoleTablesIr } from "../3-lower/ir.ts";
import { nativeName, nativeRowsOf } from "../3-lower/native-rows.ts";
import { lowerRelay } from "../3-lower/relay.ts";
import { lowerRestEndpoint, lowerRestRoutes } from "../3-lower/rest.ts";
import { roleInputs } from "../3-lower/role-inputs.ts";
import { lowerRolePart, rolePartInputs, rolePartsOf } from "../3-lower/role-parts.ts";
import { hasBackendOnlyInGroup, usableTables } from "../3-lower/role-tables.ts";
import type { RootFieldIndex } from "../3-lower/root-field-index.ts";
import { lowerRole } from "../3-lower/roots.ts";
import { lowerSavedOperation } from "../3-lower/saved-operations.ts";
import { nativeTableInputs, sourceInputs, tableInputs } from "../3-lower/table-inputs.ts";
import { refTo } from "../3-lower/table-names.ts";
import { lowerSource, lowerTable } from "../3-lower/tables.ts";
import { nativeRowsViewInputs, viewInputs } from "../3-lower/view-inputs.ts";
import { lowerView } from "../3-lower/views.ts";
import { hash } from "../catalog/canonical.ts";
import { emitEnum, emitFunction } from "./functions.ts";
import {
  enumPath,
  functionPath,
  operationPath,
  relayPath,
  restEndpointPath,
  restRoutesPath,
  rolePartPath,
  rolePath,
  roleTablesPath,
  sourcePath,
  tablePath,
  viewPath,
} from "./paths.ts";
import { emitRelay } from "./relay.ts";
import { emitRole, emitRolePart, emitRoleTables } from "./resolvers.ts";
import { emitRestEndpoint, emitRestRoutes } from "./rest.ts";
import { emitSavedOperation } from "./saved-operations.ts";
import { emitSource, emitTable } from "./sources.ts";
import { emitView } from "./views.ts";

/** How one file is made. */
export interface Recipe {
  /** The parts of the Analysis that the file depends on. */
  readonly inputs: () => unknown;
  readonly text: (inputs: unknown) => string;
}

/** A module: lowered from its inputs, with the hash of its IR in its header. */
export function recipe<Inputs, Ir>(
  inputs: () => Inputs,
  lower: (inputs: Inputs) => Ir,
  emit: (ir: Ir, slice: string) => string,
): Recipe {
  return {
    inputs,
    text: (parts) => {
      const ir = lower(parts as Inputs);
      return emit(ir, hash(ir).slice(0, 8));
    },
  };
}

/** What all roles share of a table. */
export function tableRecipe(source: AnalyzedSource, table: AnalyzedTable): Recipe {
  return recipe(() => tableInputs(source, table), lowerTable, emitTable);
}

/** What a role may do with a table. */
export function viewRecipe(source: AnalyzedSource, table: AnalyzedTable, role: string): Recipe {
  return recipe(() => viewInputs(source, table, role), lowerView, emitView);
}

export function* sourceRecipes({ sources, options }: Analysis): Iterable<[string, Recipe]> {
  for (const source of sources.values()) {
    yield [sourcePath(source.name), recipe(() => sourceInputs(source, options), lowerSource, emitSource)];
  }
}

/** All else that is shared, without tables. */
export function* sharedRecipes({ sources }: Analysis): Iterable<[string, Recipe]> {
  for (const source of sources.values()) {
    for (const query of nativeRowsOf(source, adminRole)) {
      const path = tablePath(refTo(source.name, nativeName(query)));
      yield [path, recipe(() => nativeTableInputs(source, query), lowerTable, emitTable)];
    }
    for (const inputs of enumsInSchema(source)) {
      yield [enumPath(refTo(source.name, inputs.table)), recipe(() => inputs, lowerEnum, emitEnum)];
    }
    for (const inputs of functionsInSchema(source)) {
      const path = functionPath(refTo(source.name, inputs.function));
      yield [path, recipe(() => inputs, lowerFunction, emitFunction)];
    }
  }
}

export function* operationRecipes({ savedOperations }: Analysis): Iterable<[string, Recipe]> {
  for (const saved of savedOperations.values()) {
    yield [operationPath(saved), recipe(() => saved, lowerSavedOperation, emitSavedOperation)];
  }
}

export function* restRecipes({ restEndpoints }: Analysis): Iterable<[string, Recipe]> {
  if (restEndpoints.size === 0) return;
  const routes = () => [...restEndpoints.values()].map(({ name, url }) => ({ name, url }));
  yield [restRoutesPath, recipe(routes, lowerRestRoutes, emitRestRoutes)];
  for (const endpoint of restEndpoints.values()) {
    yield [restEndpointPath(endpoint.name), recipe(() => endpoint, lowerRestEndpoint, emitRestEndpoint)];
  }
}

/** Whether some of the role's permissions are for backends only. */
export function needsBackendSchema(analysis: RoleAnalysis, role: string): boolean {
  for (const { tables } of analysis.sources.values()) {
    for (const group of tables.groups) if (hasBackendOnlyInGroup(group, role)) return true;
  }
  return false;
}

/** Where the fields of a role stand in parts: these. */
function* partRecipes(
  analysis: RoleAnalysis,
  role: string,
  index: RootFieldIndex,
  parts: RoleParts,
): Iterable<[string, Recipe]> {
  for (const operation of ["query", "mutation"] as const) {
    const firsts = parts[operation];
    for (const [i, first] of firsts.entries()) {
      const next = firsts[i + 1] ?? null;
      const inputs = () => rolePartInputs(analysis, index, { role, operation, first, next });
      yield [rolePartPath(role, operation, first), recipe(inputs, lowerRolePart, emitRolePart)];
    }
  }
}

function roleTables(analysis: RoleAnalysis, role: string): RoleTablesIr {
  const tables = Array.from(usableTables(analysis, role), ([source, { table }]) => refTo(source.name, table.table));
  return { role, tables };
}

/** The modules of a role, without those of tables and saved operations. */
export function* roleRecipes(
  analysis: RoleAnalysis,
  role: string | null,
  index: RootFieldIndex,
): Iterable<[string, Recipe]> {
  const parts = rolePartsOf(analysis, index, role);
  yield [rolePath(role), recipe(() => roleInputs(analysis, role, parts), lowerRole, emitRole)];
  if (role !== null && parts) yield* partRecipes(analysis, role, index, parts);
  if (role !== null) {
    const tables = () => roleTables(analysis, role);
    yield [roleTablesPath(role), recipe(tables, (ir) => ir, emitRoleTables)];
  }
  // Its IR has less in it than what the role's fields depend on, and is made as fast.
  yield [
    relayPath(role),
    recipe(
      () => lowerRelay(roleInputs(analysis, role)),
      (ir) => ir,
      emitRelay,
    ),
  ];
  for (const source of analysis.sources.values()) {
    for (const query of nativeRowsOf(source, role)) {
      const path = viewPath(role ?? "", refTo(source.name, nativeName(query)));
      yield [path, recipe(() => nativeRowsViewInputs(source, query, role ?? ""), lowerView, emitView)];
    }
  }
}
