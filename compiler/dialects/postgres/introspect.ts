/**
 * Introspection of PostgreSQL 10 to 18: an injected query function → the Shape, in two statements whatever the size
 * of the database. Works for a role without privileges, on a standby, and under any `search_path`.
 */

import { readDefinitions } from "../../../runtime/model/dialects/postgres/definitions.ts";
import { postgres as runtimeDialect } from "../../../runtime/model/dialects/postgres/dialect.ts";
import { invariant } from "../../../runtime/values/errors.ts";
import type { Shape } from "../../shape/shape.ts";
import type { Dialect, Query } from "../dialect.ts";
import { checkNativeQuery } from "./check-native-query.ts";
import { enumColumns, readEnumValues } from "./introspect/enum-values.ts";
import { readFingerprint } from "./introspect/fingerprint.ts";
import { functionShapes } from "./introspect/functions.ts";
import { addExpressionTexts, addIndexTexts, type CatalogAnswer, readCatalogRows } from "./introspect/rows.ts";
import {
  catalogStatement,
  emptySearchPath,
  expressionTextsStatement,
  indexTextsStatement,
  searchPathStatement,
  serverStatement,
} from "./introspect/statement.ts";
import { tableShapes } from "./introspect/tables.ts";
import { TypeDictionary } from "./introspect/types.ts";
import { recordedType } from "./json-types.ts";
import { scalarNames, typeNamed } from "./named-types.ts";
import { typesWithOperator } from "./operator-types.ts";
import { recorder, recordingProblem } from "./recorder.ts";
import { readTableDetails } from "./table-details.ts";
import { inputIsImmutable, lacksEquality, scalarCall, scalarOf } from "./types.ts";

export const postgres: Dialect = {
  kind: "postgres",
  defaultSchema: "public",
  hasReplicas: true,
  hasGraphqlNaming: true,
  introspect: introspectPostgres,
  fingerprint: readFingerprint,
  readTableDetails,
  readDefinitions,
  enumColumns,
  readEnumValues,
  checkNativeQuery,
  functions: {
    rowTypes: true,
    takesSession: (type) => scalarOf(scalarCall(type)).json,
    sessionType: "json",
  },
  documentType: "jsonb",
  memberType: ({ sql }) => sql,
  runtime: { name: "postgres", dialect: runtimeDialect },
  lacksEquality,
  scalarCall,
  scalarOf,
  scalarNames,
  typeNamed,
  inputIsImmutable,
  quoted: /[eE]'[^'\\]*(?:(?:''|\\[\s\S])[^'\\]*)*'|'[^']*(?:''[^']*)*'|"[^"]*(?:""[^"]*)*"/y,
  typesWithOperator,
  recordingProblem,
  recorder,
  keepsOldRow: true,
  recordedType,
};

/**
 * Reads every table, view and function outside the system's schemas and `engine_catalog`, and the types they use.
 * Functions that belong to an extension are left out, its tables are not. Rejects with the error of `query`.
 */
export async function introspectPostgres(query: Query, known?: Shape): Promise<Shape> {
  const server = (await query(serverStatement))[0];
  const [number, version] = server ?? [];
  invariant(typeof number === "string" && typeof version === "string", "the server answered no version");
  const rows = readCatalogRows(await query(catalogStatement(Number(number))));
  if (rows.partial.length + rows.virtual.length > 0) await addTexts(query, Number(number), rows);
  const types = new TypeDictionary(rows);
  const tables = tableShapes(rows, types, known?.tables ?? []);
  const functions = functionShapes(rows.function, types);
  return {
    format: 1,
    kind: "postgres",
    // Distributions append a name of their own: `15.18 (Debian …)`.
    serverVersion: version.split(" ")[0] ?? version,
    tables,
    functions,
    types: types.shapes(),
    ...(rows.converted.length > 0 && { converted: rows.converted.map(([type]) => type).sort() }),
  };
}

/** Reads SQL that the server prints, with names that the search path does not find. */
async function addTexts(query: Query, version: number, rows: CatalogAnswer): Promise<void> {
  const [path] = (await query(emptySearchPath))[0] ?? [];
  invariant(typeof path === "string", "the server answered no search path");
  const [indexes, expressions] = [rows.partial, rows.virtual].map((list) => list.map(([oid]) => oid));
  if (indexes?.length) addIndexTexts(rows, await query(indexTextsStatement(version, indexes)));
  if (expressions?.length) addExpressionTexts(rows, await query(expressionTextsStatement(expressions)));
  await query(searchPathStatement(path));
}
