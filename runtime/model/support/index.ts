/** `engine/support`, the only package that generated code imports. */

export { exactNumber } from "../../values/json-number.ts";
export { actionTypes, defineAction } from "../definitions/actions/action.ts";
export { outputRows } from "../definitions/actions/output.ts";
export { type Alias, type Column, column, visibleWhere } from "../definitions/column.ts";
export { crossSourceValues } from "../definitions/cross-source-values.ts";
export { defineEnum, enumOf, enumValue } from "../definitions/enum.ts";
export { type EventRecorder, eventTrigger } from "../definitions/events/event-trigger.ts";
export {
  argument,
  computedRows,
  computedValue,
  computedWhere,
  defineFunction,
  trackFunction,
} from "../definitions/function.ts";
export { validateInput } from "../definitions/input-validation.ts";
export { allowInsert, nestedRow, nestedRows } from "../definitions/insert.ts";
export { anyDeleteOf, anyInsertOf, anyUpdateOf } from "../definitions/merged-permissions.ts";
export { engineDefault, graphqlDefault, type Naming } from "../definitions/naming.ts";
export {
  nativeArgument,
  nativeQuery,
  nestedModel,
  procedureArgument,
  storedProcedure,
} from "../definitions/native-query.ts";
export { whereReadable } from "../definitions/readable.ts";
export {
  presetLiteral,
  presetObject,
  presetSession,
  remoteSchema,
  withRelationships,
} from "../definitions/remote/remote-schema.ts";
export { remoteServer } from "../definitions/remote/remote-server.ts";
export {
  joinColumn,
  joinKey,
  type RemoteRelationships,
  toRemoteSchema,
  toSourceRow,
  toSourceRows,
} from "../definitions/remote-relationship.ts";
export { restEndpoint } from "../definitions/rest/endpoint.ts";
export type { RouteNode } from "../definitions/rest/routes.ts";
export {
  actionResult,
  callAction,
  defineRelay,
  defineRole,
  deleteByPk,
  deleteRows,
  inParts,
  insertRow,
  insertRows,
  namespace,
  type RelayDefinition,
  type RoleDefinition,
  type RootField,
  remoteField,
  remoteNamespace,
  rolePart,
  selectAggregate,
  selectByPk,
  selectConnection,
  selectFunction,
  selectFunctionAggregate,
  selectFunctionConnection,
  selectGroups,
  selectMany,
  selectNative,
  selectNode,
  selectProcedure,
  startAction,
  streamRows,
  type TablesByName,
  updateByPk,
  updateMany,
  updateRows,
} from "../definitions/roots.ts";
export { anyRowOf, constant, type RowFilter, type SessionVariable, textAsIs } from "../definitions/row-filter.ts";
export { savedOperation } from "../definitions/saved/operation.ts";
export { variable } from "../definitions/saved/variable.ts";
export { cronTrigger } from "../definitions/schedules/cron-trigger.ts";
export { type Sql, sql } from "../definitions/sql.ts";
export {
  constraint,
  copyColumn,
  defineSource,
  defineTable,
  documentJoin,
  insertAfter,
  insertBefore,
  type Join,
  joinOn,
  type SourceDefinition,
  type TableDefinition,
  uniqueIndex,
} from "../definitions/table.ts";
export { agentTool } from "../definitions/tools/agent-tool.ts";
export { type TableView, tableView, toMany, toOne, toRows, wholeSession } from "../definitions/view.ts";
export { allowDelete, allowUpdate, preset } from "../definitions/write.ts";
export { sqlServer } from "../dialects/mssql/dialect.ts";
export { mssqlJsonList, mssqlJsonValue } from "../dialects/mssql/json-columns.ts";
export { mssql, mssqlList } from "../dialects/mssql/scalars.ts";
export { citus } from "../dialects/postgres/citus.ts";
export { postgres } from "../dialects/postgres/dialect.ts";
export { jsonPathType } from "../dialects/postgres/json-path.ts";
export { pgList } from "../dialects/postgres/operators.ts";
export { pg, pgArray } from "../dialects/postgres/scalars.ts";
export { handlerObjects, rowPosition } from "../planner/action-plan.ts";
export { notNull, nullEncoder } from "../planner/mutate/insert.ts";
export {
  actionOf,
  actionRequest,
  constantMember,
  joinKeyMember,
  outputMember,
  outputObject,
  outputRead,
  readMember,
} from "../planner/saved-actions.ts";
export {
  columnOf,
  columnValues,
  constantValue,
  copiedValues,
  fromVariable,
  hiddenKey,
  joinPlace,
  joinStep,
  jsonOf,
  keysByType,
  keysFor,
  keysOf,
  listOf,
  membersOf,
  mutationPlan,
  objectOf,
  queryPlan,
  resultOf,
  rows,
  savedPlans,
  sessionValue,
  statement,
  value,
  wholeSessionValue,
  write,
  writeOf,
  writeStep,
} from "../planner/saved-plans.ts";
export {
  callOf,
  keyAt,
  listOfKeys,
  listWith,
  mergedInput,
  objectWith,
  relationshipOf,
  relationshipOfType,
  remoteOf,
  remotePlace,
  remoteRequest,
  remoteSessionVariable,
  remoteStep,
  remoteVariable,
  rootSelection,
  selected,
  selectedOn,
} from "../planner/saved-remotes.ts";
export { limitValue, offsetValue } from "../planner/select/arguments.ts";
export { fractionValue, widthValue } from "../planner/select/group/keys.ts";
export { roleTool } from "../tools/role-tool.ts";
export { contractVersion } from "./contract.ts";
