/** All that generated code may import, as `engine/support`. */
export { constant } from "./constant.ts";
export { contractVersion } from "./contract.ts";
export { defineEnum, enumOf } from "./enum.ts";
export { argument, computedRows, computedValue, computedWhere, defineFunction, trackFunction } from "./function.ts";
export { validateInput } from "./input-validation.ts";
export { sqlServer } from "./mssql/dialect.ts";
export { mssql } from "./mssql/scalars.ts";
export { engineDefault, graphqlDefault, type Naming } from "./naming.ts";
export { nativeArgument, nativeQuery } from "./native-query.ts";
export { postgres } from "./postgres/dialect.ts";
export { pg, pgArray } from "./postgres/scalars.ts";
export { restEndpoint } from "./rest/endpoint.ts";
export type { RouteNode } from "./rest/routes.ts";
export {
  defineRelay,
  defineRole,
  deleteByPk,
  deleteRows,
  insertRow,
  insertRows,
  namespace,
  type RelayDefinition,
  type RoleDefinition,
  type RootField,
  selectAggregate,
  selectByPk,
  selectConnection,
  selectFunction,
  selectFunctionAggregate,
  selectFunctionConnection,
  selectMany,
  selectNative,
  selectNode,
  streamRows,
  updateByPk,
  updateMany,
  updateRows,
} from "./roots.ts";
export { anyRowOf, type RowFilter, type SessionVariable } from "./row-filter.ts";
export { savedOperation } from "./saved/operation.ts";
export { variable } from "./saved/variable.ts";
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
export {
  type TableView,
  tableView,
  toMany,
  toOne,
  toRows,
  wholeSession,
} from "./view.ts";
export { allowDelete, allowInsert, allowUpdate, nestedRow, nestedRows, preset } from "./write.ts";
