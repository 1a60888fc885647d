/** Recipes for the files that all roles share. */
import type { Analysis, AnalyzedSource } from "../2-analyze/analysis.ts";
import type { AnalyzedTable } from "../2-analyze/analyzed-table.ts";
import { ofGroup } from "../2-analyze/table-map.ts";
import { sharedPredicateTypes, takenTypes } from "../2-analyze/taken-types.ts";
import { lowerAction, lowerActionTypes } from "../3-lower/actions.ts";
import { adminRole } from "../3-lower/admin-role.ts";
import { agentToolInputs, lowerAgentTool } from "../3-lower/agent-tools.ts";
import { lowerCronTrigger } from "../3-lower/cron-triggers.ts";
import { eventTriggerInputs, lowerEventTrigger } from "../3-lower/event-triggers.ts";
import { enumsInSchema, functionsInSchema } from "../3-lower/function-inputs.ts";
import { lowerEnum, lowerFunction } from "../3-lower/functions.ts";
import { nativeName, nativeRowsOf } from "../3-lower/native-rows.ts";
import { remoteWholeInputs } from "../3-lower/remote-inputs.ts";
import { lowerRemoteSchema, lowerRemoteServer } from "../3-lower/remotes.ts";
import { lowerRestEndpoint, lowerRestRoutes } from "../3-lower/rest.ts";
import { lowerSavedOperation } from "../3-lower/saved-operations.ts";
import { nativeTableInputs, sourceInputs, tableInputs } from "../3-lower/table-inputs.ts";
import { refTo } from "../3-lower/table-names.ts";
import { lowerSource, lowerTable } from "../3-lower/tables.ts";
import { emitAction, emitActionTypes } from "../4-emit/actions.ts";
import { emitAgentTool } from "../4-emit/agent-tools.ts";
import { emitCronTrigger } from "../4-emit/cron-triggers.ts";
import { emitEventTrigger } from "../4-emit/event-triggers.ts";
import { emitEnum, emitFunction } from "../4-emit/functions.ts";
import {
  actionPath,
  actionTypesPath,
  agentToolPath,
  cronTriggerPath,
  enumPath,
  eventTriggerPath,
  functionPath,
  operationPath,
  remoteSchemaPath,
  remoteServerPath,
  restEndpointPath,
  restRoutesPath,
  sourcePath,
  tablePath,
} from "../4-emit/paths.ts";
import { emitRemoteSchema, emitRemoteServer } from "../4-emit/remotes.ts";
import { emitRestEndpoint, emitRestRoutes } from "../4-emit/rest.ts";
import { emitSavedOperation } from "../4-emit/saved-operations.ts";
import { emitSource, emitTable } from "../4-emit/sources.ts";
import { type Recipe, recipe } from "./recipe.ts";

/** Returns the recipe of the module that defines a table. */
export function tableRecipe(source: AnalyzedSource, table: AnalyzedTable): Recipe {
  return recipe(() => tableInputs(source, table), lowerTable, emitTable);
}

export function* sourceRecipes(analysis: Analysis): Iterable<[string, Recipe]> {
  const { sources, options } = analysis;
  const takenIn = takenTypes(analysis);
  for (const source of sources.values()) {
    const inputs = () => {
      const taken = takenIn(source).map(({ name }) => name);
      return sourceInputs(source, options, [...taken, ...sharedPredicateTypes(source, analysis)].sort());
    };
    yield [sourcePath(source.name), recipe(inputs, lowerSource, emitSource)];
  }
}

/** Yields the recipes of native rows, enum tables and functions. */
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

/** Memoized per group: few tables have event triggers. */
const tablesWithTriggers = ofGroup((group) => group.filter(({ eventTriggers }) => eventTriggers.size > 0));

export function* eventRecipes({ sources, options }: Analysis): Iterable<[string, Recipe]> {
  for (const source of sources.values()) {
    for (const table of source.tables.groups.flatMap(tablesWithTriggers)) {
      for (const [name, trigger] of table.eventTriggers) {
        const inputs = () => eventTriggerInputs(source, table, trigger, options);
        yield [eventTriggerPath(source.name, name), recipe(inputs, lowerEventTrigger, emitEventTrigger)];
      }
    }
  }
}

export function* scheduleRecipes({ cronTriggers }: Analysis): Iterable<[string, Recipe]> {
  for (const [name, trigger] of cronTriggers) {
    yield [cronTriggerPath(name), recipe(() => trigger, lowerCronTrigger, emitCronTrigger)];
  }
}

/** Yields the recipes of remote schemas that have been introspected. */
export function* remoteRecipes({ remoteSchemas }: Analysis): Iterable<[string, Recipe]> {
  for (const remote of remoteSchemas.values()) {
    const { name, definition } = remote.schema;
    const whole = remoteWholeInputs(remote);
    if (whole === undefined) continue;
    yield [remoteServerPath(name), recipe(() => ({ name, definition }), lowerRemoteServer, emitRemoteServer)];
    yield [remoteSchemaPath(name), recipe(() => whole, lowerRemoteSchema, emitRemoteSchema)];
  }
}

export function* actionRecipes(analysis: Analysis): Iterable<[string, Recipe]> {
  const actions = [...analysis.actions.values()];
  if (actions.length === 0) return;
  yield [actionTypesPath, recipe(() => analysis.customTypes, lowerActionTypes, emitActionTypes)];
  for (const { name, definition, comment } of actions) {
    const inputs = { name, definition, ...(comment && { comment }), permissions: [] };
    yield [actionPath(name), recipe(() => inputs, lowerAction, emitAction)];
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

export function* toolRecipes(analysis: Analysis): Iterable<[string, Recipe]> {
  for (const inputs of agentToolInputs(analysis)) {
    yield [agentToolPath(inputs.tool.name), recipe(() => inputs, lowerAgentTool, emitAgentTool)];
  }
}
