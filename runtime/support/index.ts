/** All that generated code may import, as `engine/support`. */
export { constant, textAsIs } from "./constant.ts";
export { contractVersion } from "./contract.ts";
export { defineEnum, enumOf, enumValue } from "./enum.ts";
export { argument, computedRows, computedValue, computedWhere, defineFunction, trackFunction } from "./function.ts";
export { validateInput } from "./input-validation.ts";
export { exactNumber } from "./json-number.ts";
export { sqlServer } from "./mssql/dialect.ts";
export { mssql, mssqlList } from "./mssql/scalars.ts";
export { nothing, notNull } from "./mutate/insert.ts";
export { engineDefault, graphqlDefault, type Naming } from "./naming.ts";
export { nativeArgument, nativeQuery, procedureArgument, storedProcedure } from "./native-query.ts";
export { postgres } from "./postgres/dialect.ts";
export { jsonPathType } from "./postgres/json-path.ts";
export { pgList } from "./postgres/operators.ts";
export { pg, pgArray } from "./postgres/scalars.ts";
export { restEndpoint } from "./rest/endpoint.ts";
export type { RouteNode } from "./rest/routes.ts";
export {
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
  rolePart,
  selectAggregate,
  selectByPk,
  selectConnection,
  selectFunction,
  selectFunctionAggregate,
  selectFunctionConnection,
  selectMany,
  selectNative,
  selectNode,
  selectProcedure,
  streamRows,
  type TablesByName,
  updateByPk,
  updateMany,
  updateRows,
} from "./roots.ts";
export { anyRowOf, type RowFilter, type SessionVariable } from "./row-filter.ts";
export { savedOperation } from "./saved/operation.ts";
export {
  columnOf,
  columnValues,
  copiedValues,
  given,
  jsonOf,
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
  stepColumn,
  value,
  wholeSessionValue,
  write,
  writeOf,
  writeStep,
  written,
} from "./saved/plans.ts";
export { variable } from "./saved/variable.ts";
export { limitValue, offsetValue } from "./select/arguments.ts";
export { type Sql, sql } from "./sql.ts";
export {
  type Alias,
  type Column,
  column,
  constraint,
  copyColumn,
  defineSource,
  defineTable,
  insertAfter,
  insertBefore,
  type Join,
  joinOn,
  type SourceDefinition,
  type TableDefinition,
  visibleWhere,
} from "./table.ts";
export { type TableView, tableView, toMany, toOne, toRows, wholeSession } from "./view.ts";
export { allowDelete, allowInsert, allowUpdate, nestedRow, nestedRows, preset } from "./write.ts";
