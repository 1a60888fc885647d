/** The parts of the Analysis that the shared modules of sources, tables and native rows depend on. */
import { invariant } from "../../runtime/values/errors.ts";
import type { AnalysisOptions, AnalyzedSource } from "../2-analyze/analysis.ts";
import type { AnalyzedColumn, AnalyzedTable } from "../2-analyze/analyzed-table.ts";
import type { QualifiedName, SourceCustomization, SourceKind } from "../catalog/model.ts";
import type { DistributionShape, KeyShape, TableShape, UniqueIndexShape } from "../shape/shape.ts";
import { type ComputedInputs, computedInputs, enumTablesOf } from "./function-inputs.ts";
import type { RowsName } from "./ir.ts";
import { type NativeRows, nativeName } from "./native-rows.ts";
import {
  type RelationshipInputs,
  relationshipsOfRows,
  relationshipsToQueries,
  relationshipsToTables,
} from "./relationship-inputs.ts";

/** The place of the rows of a table. */
type PlaceShape = DistributionShape | { readonly kind: "local" | "unknown" };

export interface SourceInputs {
  readonly name: string;
  readonly kind: SourceKind;
  readonly convention: AnalyzedSource["namingConvention"];
  readonly customization: SourceCustomization | undefined;
  /** The experimental feature `hide_aggregation_predicates`. */
  readonly hidesAggregatePredicates: boolean;
  /** Absent if empty. */
  readonly takenTypes?: readonly string[];
  /** The tables are distributed by Citus. */
  readonly isDistributed?: true;
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
  /** The primary key and the unique constraints that can be conflict targets. */
  readonly constraints: readonly KeyShape[];
  readonly uniqueIndexes: readonly UniqueIndexShape[];
  readonly relation: Pick<TableShape, "kind" | "statementTriggers" | "insertTriggers">;
  readonly relationships: readonly RelationshipInputs[];
  readonly computedFields: readonly ComputedInputs[];
  /** The place of the rows, in a source of Citus. */
  readonly distribution?: PlaceShape;
  /** The enum tables that columns reference, by key. */
  readonly enumTables: Readonly<Record<string, QualifiedName>>;
  /** The source of the rows if it is not a table. */
  readonly query?: NativeRows;
}

export function sourceInputs(
  { name, source, shape, namingConvention }: AnalyzedSource,
  { experimentalFeatures }: Pick<AnalysisOptions, "experimentalFeatures">,
  takenTypes: readonly string[],
): SourceInputs {
  return {
    name,
    kind: source.kind,
    convention: namingConvention,
    customization: source.customization,
    hidesAggregatePredicates: experimentalFeatures.has("hide_aggregation_predicates"),
    ...(takenTypes.length > 0 && { takenTypes }),
    ...(shape.citus && { isDistributed: true as const }),
  };
}

export function tablesInSchema(source: AnalyzedSource): readonly AnalyzedTable[] {
  return [...source.tables.values()].filter(isInSchema);
}

export const isInSchema = ({ graphqlName }: AnalyzedTable): boolean => graphqlName !== null;

export function tableInputs(source: AnalyzedSource, table: AnalyzedTable): TableInputs {
  const { graphqlName } = table;
  invariant(graphqlName !== null, `table ${table.key} is not in the schema`);
  return {
    source: source.name,
    kind: source.source.kind,
    table: table.table.table,
    graphqlName,
    displayName: table.displayName,
    description: table.description,
    columns: table.columns,
    primaryKey: table.primaryKey,
    constraints: [...(table.shape.primaryKey ? [table.shape.primaryKey] : []), ...table.shape.uniqueKeys].filter(
      ({ isNoArbiter }) => !isNoArbiter,
    ),
    uniqueIndexes: table.shape.uniqueIndexes ?? [],
    relation: {
      kind: table.shape.kind,
      ...(table.shape.statementTriggers ? { statementTriggers: true } : {}),
      ...(table.shape.insertTriggers ? { insertTriggers: true } : {}),
    },
    ...(source.shape.citus && { distribution: placeOf(table.shape) }),
    relationships: [...relationshipsToTables(source, table), ...relationshipsToQueries(source, table)],
    computedFields: computedInputs(source, table),
    enumTables: enumTablesOf(source, table.columns),
  };
}

/** Returns the place of the rows; the rows of views may be at several. */
export function placeOf({ distribution, kind }: Pick<TableShape, "distribution" | "kind">): PlaceShape {
  return distribution ?? { kind: kind === "table" || kind === "partitioned_table" ? "local" : "unknown" };
}

export function nativeTableInputs(source: AnalyzedSource, rows: NativeRows): TableInputs {
  const { model } = rows;
  return {
    source: source.name,
    kind: source.source.kind,
    table: nativeName(rows),
    graphqlName: model.name,
    displayName: model.name,
    description: undefined,
    columns: model.columns.filter((column) => column.model === undefined),
    primaryKey: [],
    constraints: [],
    uniqueIndexes: [],
    relation: { kind: "table" },
    ...(source.shape.citus && { distribution: { kind: "unknown" as const } }),
    relationships: relationshipsOfRows(source, rows),
    computedFields: [],
    enumTables: {},
    query: rows,
  };
}
