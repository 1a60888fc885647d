/**
 * The one place that decides what each generated module depends on: picks the parts of the Analysis that lowering
 * gets to see. A module is emitted again when these parts differ, and only then. Parts are as fine as the module's
 * own needs: a whole `AnalyzedTable` changes with every permission of any role.
 */

import type {
  AnalysisOptions,
  AnalyzedColumn,
  AnalyzedRelationship,
  AnalyzedSelect,
  AnalyzedSource,
  AnalyzedTable,
  Predicate,
} from "../2-analyze/analysis.ts";
import type { BoolExp, QualifiedName, SourceCustomization, SourceKind } from "../catalog/model.ts";
import type { KeyShape, TableShape, TypeRef } from "../shape/shape.ts";
import { adminRole } from "./admin-role.ts";
import {
  type ComputedInputs,
  computedInputs,
  enumTablesOf,
  type FunctionRootInputs,
  functionRootInputs,
  visibleComputedFields,
} from "./function-inputs.ts";
import type { RoleAnalysis } from "./inherited-roles.ts";
import type { RowsName } from "./ir.ts";
import {
  type NativeRootInputs,
  type NativeRows,
  nativeRootInputs,
  nativeViewInputs,
  readableQueries,
  relationshipsToQueries,
} from "./native-inputs.ts";
import type { RoleParts } from "./role-parts.ts";
import { isVisible, usableTables } from "./role-tables.ts";
import { namespaceOf } from "./root-field-index.ts";
import { isVisibleWithRow } from "./visible-with-row.ts";
import {
  type WriteInputs,
  type WriteRootInputs,
  writeInputs,
  writePredicates,
  writeRootInputs,
} from "./write-inputs.ts";

export interface SourceInputs {
  readonly name: string;
  readonly kind: SourceKind;
  readonly convention: AnalyzedSource["namingConvention"];
  readonly customization: SourceCustomization | undefined;
  /** The experimental feature `hide_aggregation_predicates`. */
  readonly hidesAggregatePredicates: boolean;
}

export interface TableInputs {
  readonly source: string;
  readonly kind: SourceKind;
  readonly table: RowsName;
  readonly graphqlName: string;
  readonly displayName: string;
  readonly description: string | undefined;
  readonly columns: readonly AnalyzedColumn[];
  readonly primaryKey: readonly AnalyzedColumn[];
  /** The primary key and the unique constraints. */
  readonly constraints: readonly KeyShape[];
  readonly relation: Pick<TableShape, "kind" | "statementTriggers">;
  readonly relationships: readonly TableRelationshipInputs[];
  readonly computedFields: readonly ComputedInputs[];
  /** The enum tables that columns refer to, by key. */
  readonly enumTables: Readonly<Record<string, QualifiedName>>;
  /** What gives the rows in place of a table. */
  readonly query?: NativeRows;
}

export interface TableRelationshipInputs {
  readonly relationship: AnalyzedRelationship;
  readonly target: RowsName;
  /** What the second row of a nested insert takes over from the first; absent: one of the tables takes no rows. */
  readonly copies: readonly ColumnCopy[] | undefined;
}

/** Columns of the first row and of the second, and the type of the latter. */
export interface ColumnCopy {
  readonly from: string;
  readonly to: string;
  readonly type: TypeRef;
}

export interface ViewInputs {
  readonly role: string;
  readonly source: string;
  readonly kind: SourceKind;
  readonly table: RowsName;
  /** The columns that the role may read. */
  readonly columns: readonly AnalyzedColumn[];
  /** `undefined` for `admin`. */
  readonly select: AnalyzedSelect | undefined;
  /** Those to tables that the role may read. */
  readonly relationships: readonly {
    readonly relationship: AnalyzedRelationship;
    readonly target: RowsName;
    readonly aggregations: boolean;
    /** The role may read all that it leads to from a row that it may read. */
    /** There is no need to filter its rows by this permission of the target; `null`: several that an inherited role merges. */
    readonly visibleWithRow?: { readonly filter: BoolExp | null };
  }[];
  /** Those that the role may read. */
  readonly computedFields: readonly ComputedInputs[];
  /** Whether the role may read the table; it has some permission in any case. */
  readonly readable: boolean;
  readonly writes: WriteInputs;
  /** The tables that row filters and checks name, by key. */
  readonly filterTables: Readonly<Record<string, QualifiedName>>;
}

export interface RoleInputs {
  /** `null`: every role that nothing names. */
  readonly role: string | null;
  readonly tables: readonly RootInputs[];
  /** Those that it may query. */
  readonly functions: readonly FunctionRootInputs[];
  /** Those that are mutations. */
  readonly mutationFunctions: readonly FunctionRootInputs[];
  readonly natives: readonly NativeRootInputs[];
  /** By source. */
  readonly namespaces: Readonly<Record<string, string>>;
  /** Apollo federation is on. */
  readonly isSubgraph: boolean;
  /** Where the fields of its tables stand in parts: how these begin. Then `tables` are those below a namespace. */
  readonly parts?: RoleParts;
}

/** What the root fields of one table come from. */
export interface RootInputs extends HiddenRoots {
  readonly source: string;
  readonly kind: SourceKind;
  readonly table: QualifiedName;
  readonly rootFields: AnalyzedTable["rootFields"];
  readonly connectionField: AnalyzedTable["connectionField"];
  /** The metadata makes it an entity of Apollo federation. */
  readonly isEntity: boolean;
  readonly primaryKey: readonly AnalyzedColumn[];
  readonly readable: boolean;
  /** `undefined` for `admin`. */
  readonly select: AnalyzedSelect | undefined;
  readonly writes: WriteRootInputs;
}

/** The experimental features `hide_update_many_fields` and `hide_stream_fields`. */
export interface HiddenRoots {
  readonly hideUpdateMany: boolean;
  readonly hideStreams: boolean;
}

export function sourceInputs(
  { name, source, namingConvention }: AnalyzedSource,
  { experimentalFeatures }: Pick<AnalysisOptions, "experimentalFeatures">,
): SourceInputs {
  return {
    name,
    kind: source.kind,
    convention: namingConvention,
    customization: source.customization,
    hidesAggregatePredicates: experimentalFeatures.has("hide_aggregation_predicates"),
  };
}

/** The tables of a source that have a name in the GraphQL schema. */
export function tablesInSchema(source: AnalyzedSource): readonly AnalyzedTable[] {
  return [...source.tables.values()].filter(({ graphqlName }) => graphqlName !== null);
}

export function tableInputs(source: AnalyzedSource, table: AnalyzedTable): TableInputs {
  return {
    source: source.name,
    kind: source.source.kind,
    table: table.table.table,
    graphqlName: table.graphqlName ?? "",
    displayName: table.displayName,
    description: table.description,
    columns: table.columns,
    primaryKey: table.primaryKey,
    constraints: [...(table.shape.primaryKey ? [table.shape.primaryKey] : []), ...table.shape.uniqueKeys],
    relation: { kind: table.shape.kind, ...(table.shape.statementTriggers ? { statementTriggers: true } : {}) },
    relationships: [...table.relationships.values()]
      .flatMap((relationship) => {
        const target = targetInSchema(source, relationship);
        if (!target) return [];
        return [{ relationship, target: target.table.table, copies: columnCopies(table, relationship, target) }];
      })
      .concat(relationshipsToQueries(source, table)),
    computedFields: computedInputs(source, table),
    enumTables: enumTablesOf(source, table.columns),
  };
}

export function viewInputs(source: AnalyzedSource, table: AnalyzedTable, role: string): ViewInputs {
  const select = table.select.get(role);
  const readable = isVisible(table, role);
  const writes = writeInputs(source, table, role);
  const predicates = [...(select ? [select.filter] : []), ...writePredicates(writes)];
  return {
    role,
    source: source.name,
    kind: source.source.kind,
    table: table.table.table,
    columns: role === adminRole ? table.columns : (select?.columns ?? []),
    select,
    relationships: [...table.relationships.values()]
      .flatMap((relationship) => {
        const target = targetInSchema(source, relationship);
        if (!readable || !target || !isVisible(target, role)) return [];
        const aggregations = role === adminRole || target.select.get(role)?.aggregations === true;
        const implied = isVisibleWithRow(table, relationship, target, role) ? target.select.get(role) : undefined;
        const filter = implied?.parents ? null : implied?.permission.permission.filter;
        const visibleWithRow = filter === undefined ? {} : { visibleWithRow: { filter } };
        return [{ relationship, target: target.table.table, aggregations, ...visibleWithRow }];
      })
      .concat((readable ? readableQueries(source, table, role) : []).map((each) => ({ ...each, aggregations: false }))),
    computedFields: visibleComputedFields(source, table, role),
    readable,
    writes,
    filterTables: filterTables(source, predicates),
  };
}

/** The rows of a native query or stored procedure as a role sees them. */
export function nativeRowsViewInputs(source: AnalyzedSource, query: NativeRows, role: string): ViewInputs {
  const inputs = nativeViewInputs(source, query, role);
  return { ...inputs, filterTables: filterTables(source, inputs.select ? [inputs.select.filter] : []) };
}

function filterTables(source: AnalyzedSource, predicates: readonly Predicate[]): ViewInputs["filterTables"] {
  const keys = new Set(predicates.flatMap((predicate) => [...tablesOf(predicate)]));
  return Object.fromEntries(
    [...keys].sort().flatMap((key) => {
      const other = source.tables.get(key);
      return other ? [[key, other.table.table] as const] : [];
    }),
  );
}

/** The experimental features that hide fields. */
export function hiddenRoots({ experimentalFeatures }: Pick<AnalysisOptions, "experimentalFeatures">): HiddenRoots {
  return {
    hideUpdateMany: experimentalFeatures.has("hide_update_many_fields"),
    hideStreams: experimentalFeatures.has("hide_stream_fields"),
  };
}

/** @param kind of the table's source */
export function rootInputs(kind: SourceKind, table: AnalyzedTable, role: string, hidden: HiddenRoots): RootInputs {
  return {
    source: table.source,
    kind,
    table: table.table.table,
    rootFields: table.rootFields,
    connectionField: table.connectionField,
    isEntity: table.table.apollo_federation_config !== undefined,
    primaryKey: table.primaryKey,
    readable: isVisible(table, role),
    select: table.select.get(role),
    writes: writeRootInputs(table, role),
    ...hidden,
  };
}

/**
 * The root fields of one role come from these tables and functions, in the order of their sources.
 * @param parts where the fields of tables stand elsewhere
 */
export function roleInputs(analysis: RoleAnalysis, role: string | null, parts?: RoleParts): RoleInputs {
  const { experimentalFeatures } = analysis.options;
  const isSubgraph = experimentalFeatures.has("apollo_federation");
  if (role === null)
    return { role, tables: [], functions: [], mutationFunctions: [], natives: [], namespaces: {}, isSubgraph };
  const hidden = hiddenRoots(analysis.options);
  const sources = parts ? new Map([...analysis.sources].filter(([, source]) => namespaceOf(source))) : analysis.sources;
  const tables = Array.from(usableTables({ sources }, role), ([source, table]) =>
    rootInputs(source.source.kind, table, role, hidden),
  );
  const functionsOf = (exposedAs: "query" | "mutation") =>
    [...analysis.sources.values()].flatMap((source) => functionRootInputs(source, role, exposedAs, analysis));
  const functions = functionsOf("query");
  const mutationFunctions = functionsOf("mutation");
  const natives = [...analysis.sources.values()].flatMap((source) => nativeRootInputs(source, role));
  const used = new Set([...tables, ...functions, ...mutationFunctions, ...natives].map(({ source }) => source));
  const namespaces = [...used].sort().flatMap((source) => {
    const owner = analysis.sources.get(source);
    const namespace = owner && namespaceOf(owner);
    return namespace ? [[source, namespace] as const] : [];
  });
  return {
    role,
    tables,
    functions,
    mutationFunctions,
    natives,
    namespaces: Object.fromEntries(namespaces),
    isSubgraph,
    ...(parts && { parts }),
  };
}

function columnCopies(
  table: AnalyzedTable,
  { mapping, insertionOrder }: AnalyzedRelationship,
  target: AnalyzedTable,
): readonly ColumnCopy[] | undefined {
  if (!table.shape.insertable || !target.shape.insertable) return undefined;
  const before = insertionOrder === "before_parent";
  const second = before ? table : target;
  return mapping.flatMap(({ local, remote }) => {
    const [from, to] = before ? [remote, local] : [local, remote];
    const column = second.columns.find(({ name }) => name === to);
    return column ? [{ from, to, type: column.shape.type }] : [];
  });
}

function targetInSchema(source: AnalyzedSource, { target }: AnalyzedRelationship): AnalyzedTable | undefined {
  const table = source.tables.get(target);
  return table && table.graphqlName !== null ? table : undefined;
}

/** Keys of the tables that a predicate looks into. */
function* tablesOf(predicate: Predicate): Iterable<string> {
  switch (predicate.kind) {
    case "and":
    case "or":
      for (const item of predicate.items) yield* tablesOf(item);
      break;
    case "not":
      yield* tablesOf(predicate.item);
      break;
    case "related":
      yield predicate.relationship.target;
      yield* tablesOf(predicate.where);
      break;
    case "computed_rows":
      yield predicate.target;
      yield* tablesOf(predicate.where);
      break;
    case "exists":
      yield predicate.table;
      yield* tablesOf(predicate.where);
      break;
    case "is_null":
    case "compare":
    case "compare_structured":
    case "compare_columns":
      break;
  }
}
