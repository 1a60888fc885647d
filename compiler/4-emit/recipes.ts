import type { Analysis } from "../2-analyze/analysis.ts";
import { adminRole } from "../3-lower/admin-role.ts";
import { enumsInSchema, functionsInSchema } from "../3-lower/function-inputs.ts";
import { lowerEnum, lowerFunction } from "../3-lower/functions.ts";
import type { RoleAnalysis } from "../3-lower/inherited-roles.ts";
import {
  nativeRowsViewInputs,
  roleInputs,
  sourceInputs,
  tableInputs,
  tablesInSchema,
  usableTables,
  viewInputs,
} from "../3-lower/inputs.ts";
import { nativeName, nativeRowsOf, nativeTableInputs } from "../3-lower/native-inputs.ts";
import { lowerRelay } from "../3-lower/relay.ts";
import { lowerRestEndpoint, lowerRestRoutes } from "../3-lower/rest.ts";
import { lowerRole } from "../3-lower/roots.ts";
import { lowerSavedOperation } from "../3-lower/saved-operations.ts";
import { lowerRelaySchema, lowerRoleSchema, roleSchemaInputs } from "../3-lower/schemas.ts";
import { lowerSource, lowerTable } from "../3-lower/tables.ts";
import { lowerView, refTo } from "../3-lower/views.ts";
import { hasBackendOnly } from "../3-lower/write-inputs.ts";
import { hash } from "../catalog/canonical.ts";
import { emitEnum, emitFunction } from "./functions.ts";
import {
  backendRelaySchemaPath,
  backendSchemaPath,
  backendSubgraphSchemaPath,
  enumPath,
  functionPath,
  operationPath,
  relayPath,
  relaySchemaPath,
  restEndpointPath,
  restRoutesPath,
  rolePath,
  schemaPath,
  sourcePath,
  subgraphSchemaPath,
  tablePath,
  viewPath,
} from "./paths.ts";
import { emitRelay } from "./relay.ts";
import { emitRole } from "./resolvers.ts";
import { emitRestEndpoint, emitRestRoutes } from "./rest.ts";
import { emitSavedOperation } from "./saved-operations.ts";
import { emitRoleSchema, emitSubgraphSchema } from "./schemas.ts";
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

export function* sharedRecipes({ sources, options }: Analysis): Iterable<[string, Recipe]> {
  for (const source of sources.values()) {
    yield [sourcePath(source.name), recipe(() => sourceInputs(source, options), lowerSource, emitSource)];
    for (const table of tablesInSchema(source)) {
      const path = tablePath(refTo(source.name, table.table.table));
      yield [path, recipe(() => tableInputs(source, table), lowerTable, emitTable)];
    }
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
  for (const [, table] of usableTables(analysis, role)) if (hasBackendOnly(table, role)) return true;
  return false;
}

const isSubgraph = ({ options }: RoleAnalysis): boolean => options.experimentalFeatures.has("apollo_federation");

export function* roleRecipes(analysis: RoleAnalysis, role: string | null): Iterable<[string, Recipe]> {
  yield [rolePath(role), recipe(() => roleInputs(analysis, role), lowerRole, emitRole)];
  // Its IR has less in it than what the role's fields depend on, and is made as fast.
  yield [
    relayPath(role),
    recipe(
      () => lowerRelay(roleInputs(analysis, role)),
      (ir) => ir,
      emitRelay,
    ),
  ];
  const inputs = () => roleSchemaInputs(analysis, role);
  if (isSubgraph(analysis)) {
    yield [subgraphSchemaPath(role), recipe(inputs, lowerRoleSchema, emitSubgraphSchema("frontend"))];
    if (role !== null && needsBackendSchema(analysis, role)) {
      yield [backendSubgraphSchemaPath(role), recipe(inputs, lowerRoleSchema, emitSubgraphSchema("backend"))];
    }
  }
  yield [schemaPath(role), recipe(inputs, lowerRoleSchema, emitRoleSchema("frontend"))];
  yield [relaySchemaPath(role), recipe(inputs, lowerRelaySchema, emitRoleSchema("frontend"))];
  if (role !== null && needsBackendSchema(analysis, role)) {
    yield [backendSchemaPath(role), recipe(inputs, lowerRoleSchema, emitRoleSchema("backend"))];
    yield [backendRelaySchemaPath(role), recipe(inputs, lowerRelaySchema, emitRoleSchema("backend"))];
  }
  for (const [source, table] of usableTables(analysis, role)) {
    const path = viewPath(role ?? "", refTo(source.name, table.table.table));
    yield [path, recipe(() => viewInputs(source, table, role ?? ""), lowerView, emitView)];
  }
  for (const source of analysis.sources.values()) {
    for (const query of nativeRowsOf(source, role)) {
      const path = viewPath(role ?? "", refTo(source.name, nativeName(query)));
      yield [path, recipe(() => nativeRowsViewInputs(source, query, role ?? ""), lowerView, emitView)];
    }
  }
}
