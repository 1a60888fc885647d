/** Introspection of SQL Server: an injected query function → the Shape, in one statement whatever the database's size. */
import { readDefinitions } from "../../../runtime/model/dialects/mssql/definitions.ts";
import { sqlServer } from "../../../runtime/model/dialects/mssql/dialect.ts";
import type { Shape } from "../../shape/shape.ts";
import type { Dialect, Query } from "../dialect.ts";
import { checkNativeQuery } from "./check-native-query.ts";
import { enumColumns, readEnumValues } from "./enum-values.ts";
import { functionShapes } from "./introspect/functions.ts";
import { readCatalogRows } from "./introspect/rows.ts";
import { catalogStatement } from "./introspect/statement.ts";
import { tableShapes } from "./introspect/tables.ts";
import { recordedType } from "./json-types.ts";
import { procedures } from "./procedures.ts";
import { recorder, recordingProblem } from "./recorder.ts";
import { readTableDetails } from "./table-details.ts";
import {
  inputIsImmutable,
  jsonColumnType,
  lacksEquality,
  scalarCall,
  scalarNames,
  scalarOf,
  typeNamed,
  typesWithOperator,
} from "./types.ts";

export const mssql: Dialect = {
  kind: "mssql",
  defaultSchema: "dbo",
  hasReplicas: false,
  hasGraphqlNaming: false,
  introspect: introspectMssql,
  readTableDetails,
  readDefinitions,
  enumColumns,
  readEnumValues,
  checkNativeQuery,
  functions: {
    rowTypes: false,
    takesSession: ({ name, sql }) => name === "nvarchar" && sql === "nvarchar(max)",
    sessionType: "nvarchar(max)",
  },
  documentType: "nvarchar(max)",
  jsonColumnType,
  memberType: (type) => procedures.declaredType(type) ?? "nvarchar(max)",
  procedures,
  runtime: { name: "sqlServer", dialect: sqlServer },
  lacksEquality,
  scalarCall,
  scalarOf,
  scalarNames,
  typeNamed,
  inputIsImmutable,
  quoted: /'[^']*(?:''[^']*)*'|"[^"]*(?:""[^"]*)*"|\[[^\]]*(?:\]\][^\]]*)*\]/y,
  typesWithOperator,
  recordingProblem,
  recorder,
  keepsOldRow: false,
  recordedType,
};

/** Reads every table, view and function outside the system's schemas and `engine_catalog`. Rejects with the error of `query`. */
export async function introspectMssql(query: Query): Promise<Shape> {
  const rows = readCatalogRows(await query(catalogStatement));
  return {
    format: 1,
    kind: "mssql",
    serverVersion: rows.version,
    tables: tableShapes(rows),
    functions: functionShapes(rows),
    types: [],
  };
}
