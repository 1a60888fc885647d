/** Recipes for the files of one role. */
import type { AnalyzedSource } from "../2-analyze/analysis.ts";
import type { AnalyzedTable } from "../2-analyze/analyzed-table.ts";
import { outputJoinsInputs, outputRowsInputs } from "../3-lower/action-inputs.ts";
import { lowerOutputJoins, lowerOutputRows } from "../3-lower/actions.ts";
import type { RoleAnalysis } from "../3-lower/inherited-roles.ts";
import type { RoleParts, RoleTablesIr } from "../3-lower/ir.ts";
import { nativeName, nativeRowsOf } from "../3-lower/native-rows.ts";
import { lowerRelay } from "../3-lower/relay.ts";
import { remoteJoinsInputs, remotePartInputs } from "../3-lower/remote-inputs.ts";
import { lowerRemoteJoins, lowerRemoteSchema } from "../3-lower/remotes.ts";
import { roleInputs } from "../3-lower/role-inputs.ts";
import { lowerRolePart, rolePartInputs, rolePartsOf } from "../3-lower/role-parts.ts";
import { usableTables } from "../3-lower/role-tables.ts";
import type { RootFieldIndex } from "../3-lower/root-field-index.ts";
import { lowerRole } from "../3-lower/roots.ts";
import { refTo } from "../3-lower/table-names.ts";
import { nativeRowsViewInputs, viewInputs } from "../3-lower/view-inputs.ts";
import { lowerView } from "../3-lower/views.ts";
import { emitOutputJoins, emitOutputRows } from "../4-emit/actions.ts";
import {
  outputJoinsPath,
  outputRowsPath,
  relayPath,
  remotePartPath,
  rolePartPath,
  rolePath,
  roleTablesPath,
  viewPath,
} from "../4-emit/paths.ts";
import { emitRelay } from "../4-emit/relay.ts";
import { emitRemoteJoins, emitRemoteSchema } from "../4-emit/remotes.ts";
import { emitRole, emitRolePart, emitRoleTables } from "../4-emit/root-fields.ts";
import { emitView } from "../4-emit/views.ts";
import { type Recipe, recipe } from "./recipe.ts";

/** Returns the recipe of the module with a role's permissions on a table. */
export function viewRecipe(analysis: RoleAnalysis, source: AnalyzedSource, table: AnalyzedTable, role: string): Recipe {
  return recipe(() => viewInputs(analysis, source, table, role), lowerView, emitView);
}

/** Yields the recipes of the parts among which a role's root fields are divided. */
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

/** Yields the recipes of a role's modules, except modules of tables and saved operations. */
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
  // Compares the IR instead of the inputs: it is smaller, and lowering is as fast as collecting the inputs.
  yield [
    relayPath(role),
    recipe(
      () => lowerRelay(roleInputs(analysis, role)),
      (ir) => ir,
      emitRelay,
    ),
  ];
  if (role !== null) {
    for (const inputs of remotePartInputs(analysis, role)) {
      yield [remotePartPath(role, inputs.name), recipe(() => inputs, lowerRemoteSchema, emitRemoteSchema)];
    }
    for (const inputs of remoteJoinsInputs(analysis, role)) {
      yield [remotePartPath(role, inputs.name), recipe(() => inputs, lowerRemoteJoins, emitRemoteJoins)];
    }
    for (const inputs of outputJoinsInputs(analysis, role)) {
      yield [outputJoinsPath(role, inputs.type), recipe(() => inputs, lowerOutputJoins, emitOutputJoins)];
    }
    for (const inputs of outputRowsInputs(analysis, role)) {
      yield [outputRowsPath(role, inputs.type), recipe(() => inputs, lowerOutputRows, emitOutputRows)];
    }
  }
  for (const source of analysis.sources.values()) {
    for (const query of nativeRowsOf(source, role)) {
      const path = viewPath(role ?? "", refTo(source.name, nativeName(query)));
      yield [path, recipe(() => nativeRowsViewInputs(source, query, role ?? ""), lowerView, emitView)];
    }
  }
}
