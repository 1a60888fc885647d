/** Analyses written by hand, for tests of lowering and emission without the phases before them. */

import { type Analysis, type AnalyzedSource, qualifiedKey } from "../../../compiler/2-analyze/analysis.ts";
import type {
  AnalyzedColumn,
  AnalyzedRelationship,
  AnalyzedSelect,
  AnalyzedTable,
  Predicate,
} from "../../../compiler/2-analyze/analyzed-table.ts";
import { DependencyIndex } from "../../../compiler/2-analyze/dependency-index.ts";
import { connectionField, type Naming, tableRootFields } from "../../../compiler/2-analyze/naming.ts";
import { TableMap } from "../../../compiler/2-analyze/table-map.ts";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import type { JsonObject, Source, SourceCustomization, Table, TableConfig } from "../../../compiler/catalog/model.ts";
import type { ColumnShape, TypeRef } from "../../../compiler/shape/shape.ts";
import { emptyShape } from "../../../compiler/shape/shape.ts";

/** Returns a built-in type by its catalogue name. */
export function builtIn(name: string, sql = name): TypeRef {
  return { schema: "pg_catalog", name, sql, category: "base" };
}

export function arrayOf(element: TypeRef): TypeRef {
  return { schema: element.schema, name: `_${element.name}`, sql: `${element.sql}[]`, category: "base", element };
}

interface ColumnOptions {
  readonly type?: TypeRef;
  readonly nullable?: boolean;
  readonly description?: string;
  /** `null`: not in the schema. */
  readonly field?: string | null;
}

interface SelectOptions {
  readonly columns?: readonly string[];
  readonly filter?: Predicate;
  /** In the form of metadata. */
  readonly expression?: JsonObject;
  readonly limit?: number;
  readonly aggregations?: boolean;
  readonly queryRootFields?: AnalyzedSelect["queryRootFields"];
  readonly subscriptionRootFields?: AnalyzedSelect["subscriptionRootFields"];
  readonly comment?: string;
}

export interface TableOptions {
  readonly schema?: string;
  readonly columns: Readonly<Record<string, ColumnOptions>>;
  readonly key?: readonly string[];
  readonly relationships?: readonly AnalyzedRelationship[];
  readonly select?: Readonly<Record<string, SelectOptions>>;
  /** `null`: not in the schema. */
  readonly graphqlName?: string | null;
  readonly description?: string;
  readonly configuration?: TableConfig;
}

export function table(source: string, name: string, options: TableOptions): AnalyzedTable {
  const { schema = "public", key = [], relationships = [], select = {}, configuration } = options;
  const columns = Object.entries(options.columns).map(([name, column], i) => analyzedColumn(name, column, i));
  const named = (names: readonly string[]) => columns.filter((column) => names.includes(column.name));
  const metadata: Table = {
    table: { schema, name },
    ...(configuration ? { configuration } : {}),
    object_relationships: [],
    array_relationships: [],
    computed_fields: [],
    remote_relationships: [],
    insert_permissions: [],
    select_permissions: [],
    update_permissions: [],
    delete_permissions: [],
    event_triggers: [],
  };
  const naming: Naming = { convention: "engine-default", defaultSchema: "public", prefix: "", suffix: "" };
  const defaultName = schema === "public" ? name : `${schema}_${name}`;
  const base = { text: options.graphqlName ?? defaultName, custom: false };
  const isInSchema = options.graphqlName !== null;
  return {
    source,
    key: qualifiedKey({ schema, name }),
    table: metadata,
    shape: {
      schema,
      name,
      id: 1,
      kind: "table",
      comment: null,
      columns: columns.map(({ shape }) => shape),
      primaryKey: key.length === 0 ? null : { name: `${name}_pkey`, columns: key },
      uniqueKeys: [],
      foreignKeys: [],
      insertable: true,
      updatable: true,
      deletable: true,
    },
    displayName: schema === "public" ? name : `${schema}.${name}`,
    graphqlName: isInSchema ? base.text : null,
    rootFields: isInSchema ? tableRootFields(naming, base, configuration?.custom_root_fields) : null,
    connectionField: isInSchema ? connectionField(naming, base) : null,
    description: options.description,
    columns,
    primaryKey: named(key),
    relationships: new Map(relationships.map((relationship) => [relationship.name, relationship])),
    select: new Map(
      Object.entries(select).map(([role, options]) => [role, analyzedSelect(role, options, named, columns)]),
    ),
    insert: new Map(),
    update: new Map(),
    delete: new Map(),
    computedFields: new Map(),
    remoteRelationships: new Map(),
    eventTriggers: new Map(),
    dangling: [],
    dependencies: new Map(),
    inconsistencies: [],
  };
}

function analyzedColumn(name: string, options: ColumnOptions, i: number): AnalyzedColumn {
  const { type = builtIn("text"), nullable = false, description, field = name } = options;
  const shape: ColumnShape = {
    name,
    position: i + 1,
    type,
    nullable,
    hasDefault: false,
    identity: null,
    generated: false,
    comment: null,
  };
  return { name, field, shape, description, enumTable: undefined };
}

function analyzedSelect(
  role: string,
  options: SelectOptions,
  named: (names: readonly string[]) => readonly AnalyzedColumn[],
  all: readonly AnalyzedColumn[],
): AnalyzedSelect {
  const columns = options.columns ? named(options.columns) : all;
  return {
    role,
    permission: {
      role,
      permission: { columns: columns.map(({ name }) => name), filter: options.expression ?? {} },
      ...(options.comment === undefined ? {} : { comment: options.comment }),
    },
    columns,
    computedFields: [],
    filter: options.filter ?? { kind: "and", items: [] },
    limit: options.limit,
    aggregations: options.aggregations ?? false,
    queryRootFields: options.queryRootFields ?? null,
    subscriptionRootFields: options.subscriptionRootFields ?? null,
  };
}

export function source(
  name: string,
  tables: readonly AnalyzedTable[],
  customization?: SourceCustomization,
): AnalyzedSource {
  const metadata: Source = {
    name,
    kind: "postgres",
    tables: tables.map(({ table }) => table),
    functions: [],
    native_queries: [],
    stored_procedures: [],
    logical_models: [],
    configuration: { connection_info: { database_url: { from_env: "DATABASE_URL" } } },
    ...(customization ? { customization } : {}),
  };
  const shape = { ...emptyShape("postgres"), tables: tables.map((table) => table.shape) };
  return {
    name,
    source: metadata,
    introspection: { shape },
    shape,
    namingConvention: "engine-default",
    tables: TableMap.of(tables),
    functions: new Map(),
    logicalModels: new Map(),
    nativeQueries: new Map(),
    storedProcedures: new Map(),
    nativeDependencies: new Map(),
    tableInconsistencies: [],
    otherInconsistencies: [],
  };
}

export function analysis(...sources: readonly AnalyzedSource[]): Analysis {
  const roles = new Set(
    sources.flatMap(({ tables }) => [...tables.values()].flatMap(({ select }) => [...select.keys()])),
  );
  return {
    catalog: { ...emptyCatalog, sources: sources.map(({ source }) => source) },
    sources: new Map(sources.map((source) => [source.name, source])),
    options: {
      environment: {},
      experimentalFeatures: new Set(),
      defaultNamingConvention: "engine-default",
      inferFunctionPermissions: true,
      remoteSchemaPermissions: true,
    },
    inheritedClashes: new Map(),
    inheritedRoles: new Map(),
    restEndpoints: new Map(),
    agentTools: new Map(),
    leftOutGroups: new Set(),
    savedOperations: new Map(),
    remoteSchemas: new Map(),
    remoteIntrospections: new Map(),
    remoteRelationships: new Map(),
    customTypes: { input_objects: [], objects: [], scalars: [], enums: [] },
    actions: new Map(),
    cronTriggers: new Map(),
    inconsistencies: [],
    roles: [...roles].sort(),
    dependencies: new DependencyIndex([], new Map()),
  };
}

const uuid = { type: builtIn("uuid") };

/** Members and their loans, with one role. */
export function library(): Analysis {
  const member = table("shelf", "member", {
    schema: "library",
    description: "People who borrow.",
    columns: { id: uuid, name: {}, email: { description: "Never shown to other members." } },
    key: ["id"],
    relationships: [
      {
        name: "loans",
        kind: "array",
        comment: undefined,
        target: "library.loan",
        mapping: [{ local: "id", remote: "member_id" }],
        unique: false,
        required: false,
        origin: "foreign_key_of_other",
        insertionOrder: "after_parent",
      },
    ],
    select: {
      member: {
        columns: ["id", "name"],
        filter: equals("id", builtIn("uuid"), { kind: "session", variable: "x-engine-user-id" }),
        expression: { id: "X-Engine-User-Id" },
      },
    },
  });
  const loan = table("shelf", "loan", {
    schema: "library",
    columns: {
      id: uuid,
      member_id: uuid,
      due_on: { type: builtIn("date") },
      returned_at: { type: builtIn("timestamptz", "timestamp with time zone"), nullable: true },
      withdrawn_at: { type: builtIn("timestamptz", "timestamp with time zone"), nullable: true },
    },
    key: ["id"],
    relationships: [
      {
        name: "member",
        kind: "object",
        comment: "Who has the book.",
        target: "library.member",
        mapping: [{ local: "member_id", remote: "id" }],
        unique: true,
        required: true,
        origin: "foreign_key",
        insertionOrder: "before_parent",
      },
    ],
    select: {
      member: {
        columns: ["id", "member_id", "due_on", "returned_at"],
        filter: {
          kind: "and",
          items: [
            equals("member_id", builtIn("uuid"), { kind: "session", variable: "x-engine-user-id" }),
            {
              kind: "is_null",
              column: { name: "withdrawn_at", type: builtIn("timestamptz", "timestamp with time zone") },
              negated: false,
            },
          ],
        },
        expression: { member_id: "X-Engine-User-Id", withdrawn_at: { _is_null: true } },
        limit: 100,
        aggregations: true,
      },
    },
  });
  return analysis(source("shelf", [loan, member]));
}

export function equals(
  name: string,
  type: TypeRef,
  operand: Extract<Predicate, { kind: "compare" }>["operand"],
): Predicate {
  return { kind: "compare", column: { name, type }, operator: "_eq", operand };
}
