/**
 * Rules of native queries: arguments match placeholders, the model exists, the query returns its columns, and
 * relationships lead to tables or other native queries. Also checks relationships of tables to native queries.
 */

import type {
  ArrayUsing,
  Json,
  ManualConfiguration,
  NativeQuery,
  ObjectUsing,
  Relationship,
} from "../../catalog/model.ts";
import { argumentsIn } from "../../catalog/native-code.ts";
import { duplicates } from "../../catalog/schema/combinators.ts";
import type { NativeQueryCheck } from "../../shape/native-query.ts";
import { type AnalyzedModel, type AnalyzedNativeQuery, qualifiedKey } from "../analysis.ts";
import { nativeQueryObject, relationshipObject } from "../metadata-objects.ts";
import type { ObjectId } from "../object-id.ts";
import { Rejection, reject, rejectDangling, rejectUnknown } from "../rejection.ts";
import type { SourceContext, TypedValue } from "../source-context.ts";
import type { TableFields } from "../table-fields.ts";
import {
  addDependencies,
  analyzeModel,
  checkReferences,
  type ModelScope,
  referencesOf,
  rejectUnknownModel,
} from "./logical-models.ts";

export interface NativeQueryScope extends ModelScope {
  readonly models: ReadonlyMap<string, AnalyzedModel>;
  /** By root field. */
  readonly checks: ReadonlyMap<string, NativeQueryCheck> | undefined;
}

/** Returns the consistent native queries of the source by root field, sorted. */
export function analyzeNativeQueries(scope: NativeQueryScope): Map<string, AnalyzedNativeQuery> {
  const { context, findings } = scope;
  const { name: source, native_queries } = context.source;
  const objectOf = (query: NativeQuery) => nativeQueryObject(source, query);
  const attempt = <T>(query: NativeQuery, build: () => T) => findings.attempt(() => objectOf(query), "", build);
  let remaining = findings
    .withoutDuplicates(native_queries, ({ root_field_name }) => root_field_name, objectOf)
    .flatMap((query) => attempt(query, () => resolve(scope, query)) ?? []);
  for (;;) {
    const byName = new Map(remaining.map((each) => [each.query.root_field_name, each]));
    const kept = remaining.filter((each) =>
      attempt(each.query, () => {
        checkRelationships(scope, each, byName);
        return true;
      }),
    );
    if (kept.length === remaining.length) break;
    remaining = kept;
  }
  for (const { query } of remaining) addDependencies(scope, objectOf(query).id, neededBy(source, query));
  remaining.sort((a, b) => (a.query.root_field_name < b.query.root_field_name ? -1 : 1));
  return new Map(remaining.map((each) => [each.query.root_field_name, each]));
}

function resolve(scope: NativeQueryScope, query: NativeQuery): AnalyzedNativeQuery {
  checkPlaceholders(query);
  const model = modelOf(scope, query);
  const check = scope.checks?.get(query.root_field_name);
  if (check !== undefined) checkColumns(model, check);
  const args = Object.entries(query.arguments ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    query,
    model,
    arguments: args.map(([name, { type, nullable, description }]) => ({
      name,
      type: scope.context.typeNamed(type),
      nullable: nullable ?? false,
      description,
    })),
  };
}

function checkPlaceholders({ code, arguments: declared = {} }: NativeQuery): void {
  const used = new Set(argumentsIn(code));
  const undeclared = [...used].filter((name) => !Object.hasOwn(declared, name)).sort();
  if (undeclared.length > 0) {
    reject(`The following columns are used in the query, but are not declared as arguments: ${undeclared.join(", ")}`);
  }
  const unused = Object.keys(declared)
    .filter((name) => !used.has(name))
    .sort();
  if (unused.length > 0) {
    reject(`The following columns are declared as arguments, but are not used in the query: ${unused.join(", ")}`);
  }
}

function modelOf(scope: NativeQueryScope, { root_field_name: name, returns }: NativeQuery): AnalyzedModel {
  const { models, context } = scope;
  if (typeof returns !== "string") {
    checkReferences(context.source.name, returns.fields, models);
    return analyzeModel(scope, { source: context.source.name, of: "native_query", name }, returns);
  }
  return models.get(returns) ?? rejectUnknownModel(context, returns, models);
}

function checkColumns({ columns }: AnalyzedModel, check: NativeQueryCheck): void {
  if ("error" in check) {
    const internal = check.error.internal ?? check.error.message;
    // Errors of database drivers are JSON.
    throw new Rejection("Failed to validate query", { internal: internal as Json });
  }
  for (const { name, shape, model } of columns) {
    const found = check.columns.get(name);
    if (found === undefined) reject(`Column named '${name}' is not returned from the query.`);
    // Nested models are returned as JSON, or as rows that are converted to JSON.
    if (found.type === found.expected || model) continue;
    reject(
      `Return column '${name}' has a type mismatch. The expected type is '${found.expected ?? shape.type.sql}', but the actual type is '${found.type}'.`,
    );
  }
}

// ---------------------------------------------------------------- relationships

function relationshipsOf({ object_relationships, array_relationships }: NativeQuery) {
  return [...object_relationships, ...array_relationships];
}

function checkRelationships(
  { tables, context }: NativeQueryScope,
  { query, model }: AnalyzedNativeQuery,
  queries: ReadonlyMap<string, AnalyzedNativeQuery>,
): void {
  const relationships = relationshipsOf(query);
  const repeated = duplicates(relationships.map(({ name }) => name));
  if (repeated.length > 0) {
    reject(`The native query '${query.root_field_name}' has duplicate relationships: ${repeated.join(", ")}`);
  }
  const own = fieldsOfQuery(query.root_field_name, model);
  for (const { using } of relationships) {
    checkMapped(Object.keys(using.column_mapping), own);
    const target =
      using.remote_table === undefined
        ? queryColumns(context, queries, using.remote_native_query ?? "")
        : columnsOf(
            tables.get(qualifiedKey(using.remote_table)) ??
              rejectDangling(
                `table "${context.print(using.remote_table)}" is not tracked`,
                context.tableId(using.remote_table),
              ),
          );
    checkMapped(Object.values(using.column_mapping), target);
    checkTypes(context, own, using, target);
  }
}

/** Columns that a relationship can join, by name. */
type Joinable = ReadonlyMap<string, TypedValue>;

function columnsOf({ base, columns }: TableFields): Joinable {
  return new Map(
    Array.from(columns, ([name, { column }]) => [
      name,
      { name: `column "${name}" of table "${base.displayName}"`, type: column.shape.type },
    ]),
  );
}

function fieldsOfQuery(query: string, { columns }: AnalyzedModel): Joinable {
  return new Map(
    columns.map(({ name, shape }) => [name, { name: `field "${name}" of native query "${query}"`, type: shape.type }]),
  );
}

/** @throws Rejection */
function checkTypes(
  context: SourceContext,
  own: Joinable,
  { column_mapping }: ManualConfiguration,
  target: Joinable,
): void {
  for (const [local, remote] of Object.entries(column_mapping)) {
    const [left, right] = [own.get(local), target.get(remote)];
    if (left !== undefined && right !== undefined) context.checkEquality(left, right);
  }
}

function queryColumns(
  { source }: SourceContext,
  queries: ReadonlyMap<string, AnalyzedNativeQuery>,
  name: string,
): Joinable {
  const id = { kind: "native_query", source: source.name, name } as const;
  const query = queries.get(name) ?? rejectDangling(`native query "${name}" is not tracked`, id);
  return fieldsOfQuery(name, query.model);
}

function checkMapped(names: readonly string[], columns: Joinable): void {
  for (const name of names) if (!columns.has(name)) rejectUnknown(`"${name}" does not exist`, name, columns.keys());
}

function neededBy(source: string, query: NativeQuery): readonly ObjectId[] {
  const { returns } = query;
  const models: readonly ObjectId[] =
    typeof returns === "string"
      ? [{ kind: "logical_model", source, name: returns }]
      : referencesOf(source, returns.fields);
  const own: ObjectId = { kind: "native_query", source, name: query.root_field_name };
  const targets = relationshipsOf(query).flatMap(({ using }) => targetIds(source, using));
  // A query that refers to itself does not depend on itself.
  return [...models, ...targets.filter((on) => !(on.kind === "native_query" && on.name === own.name))];
}

function targetIds(source: string, using: ManualConfiguration): readonly ObjectId[] {
  const { remote_table: table, remote_native_query: name, column_mapping } = using;
  if (table === undefined) return name === undefined ? [] : [{ kind: "native_query", source, name }];
  return [
    { kind: "table", source, table },
    ...Object.values(column_mapping).map((column): ObjectId => ({ kind: "column", source, table, column })),
  ];
}

/** Checks relationships of tables to native queries, which `resolveRelationship` skips. */
export function checkRelationshipsToQueries(
  scope: NativeQueryScope,
  queries: ReadonlyMap<string, AnalyzedNativeQuery>,
): void {
  for (const fields of scope.tables.values()) {
    const { object_relationships, array_relationships } = fields.base.table;
    for (const each of object_relationships) checkTableRelationship(scope, fields, "object", each, queries);
    for (const each of array_relationships) checkTableRelationship(scope, fields, "array", each, queries);
  }
}

function checkTableRelationship(
  scope: NativeQueryScope,
  fields: TableFields,
  kind: "object" | "array",
  relationship: Relationship<ObjectUsing | ArrayUsing>,
  queries: ReadonlyMap<string, AnalyzedNativeQuery>,
): void {
  const { base, columns } = fields;
  const { using } = relationship;
  if (!("manual_configuration" in using)) return;
  const { remote_native_query: name, column_mapping } = using.manual_configuration;
  if (name === undefined) return;
  const object = relationshipObject(scope.context.addressOf(base.table.table), kind, relationship);
  const place = `in table "${base.displayName}": in relationship "${relationship.name}": `;
  const isValid = scope.findings.attempt(
    () => object,
    place,
    () => {
      for (const column of Object.keys(column_mapping)) {
        if (!columns.has(column)) rejectDangling(`table "${base.displayName}" has no field named "${column}"`);
      }
      const target = queryColumns(scope.context, queries, name);
      checkMapped(Object.values(column_mapping), target);
      checkTypes(scope.context, columnsOf(fields), using.manual_configuration, target);
      return true;
    },
  );
  if (!isValid) return;
  const { source, table } = base;
  const own = { source, table: table.table };
  const used = Object.keys(column_mapping).map((column): ObjectId => ({ kind: "column", ...own, column }));
  addDependencies(scope, object.id, [{ kind: "table", ...own }, { kind: "native_query", source, name }, ...used]);
}
