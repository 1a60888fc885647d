/** A query as plain data. Keys are the response keys, each once per selection. */
import type { Value } from "./column-types.ts";
import type { Column, Filter, Relationship, Table } from "./model.ts";

export interface ListArguments {
  readonly where: Filter | undefined;
  readonly orderBy: readonly OrderItem[];
  readonly distinctOn: readonly Column[];
  readonly topPer: TopPer | undefined;
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

export const noArguments: ListArguments = {
  where: undefined,
  orderBy: [],
  distinctOn: [],
  topPer: undefined,
  limit: undefined,
  offset: undefined,
};

/** The first rows of each group of rows with equal cells. */
interface TopPer {
  readonly columns: readonly Column[];
  readonly limit: number;
}

export interface OrderItem {
  readonly by: OrderTerm;
  readonly direction: Direction;
}

/** The path from a row to the value that orders it. */
export type OrderTerm =
  | { readonly kind: "column"; readonly column: Column }
  | { readonly kind: "object"; readonly relationship: Relationship; readonly by: OrderTerm }
  | { readonly kind: "count"; readonly relationship: Relationship }
  | {
      readonly kind: "function";
      readonly relationship: Relationship;
      readonly name: AggregateName;
      readonly column: Column;
    };

export const directions = [
  "asc",
  "desc",
  "asc_nulls_first",
  "asc_nulls_last",
  "desc_nulls_first",
  "desc_nulls_last",
] as const;
type Direction = (typeof directions)[number];

export const numericAggregates = [
  "sum",
  "avg",
  "stddev",
  "stddev_pop",
  "stddev_samp",
  "var_pop",
  "var_samp",
  "variance",
] as const;
export const comparableAggregates = ["max", "min"] as const;
export type AggregateName = (typeof numericAggregates)[number] | (typeof comparableAggregates)[number];

/** The rows of a relationship or of a whole table. */
export interface Rows {
  readonly table: Table;
  readonly relationship: Relationship | undefined;
}

export type Field =
  | { readonly kind: "typename"; readonly key: string }
  | {
      readonly kind: "column";
      readonly key: string;
      readonly column: Column;
      readonly path: readonly (string | number)[] | undefined;
    }
  | {
      readonly kind: "object";
      readonly key: string;
      readonly relationship: Relationship;
      readonly fields: readonly Field[];
    }
  | ListField
  | AggregateField
  | GroupField
  | {
      readonly kind: "by_pk";
      readonly key: string;
      readonly table: Table;
      readonly values: readonly Value[];
      readonly fields: readonly Field[];
    };

interface ListField {
  readonly kind: "list";
  readonly key: string;
  readonly rows: Rows;
  readonly args: ListArguments;
  readonly fields: readonly Field[];
}

export interface AggregateField {
  readonly kind: "aggregate";
  readonly key: string;
  readonly rows: Rows;
  readonly args: ListArguments;
  readonly parts: readonly AggregatePart[];
}

export type AggregatePart =
  | { readonly kind: "typename"; readonly key: string }
  | { readonly kind: "nodes"; readonly key: string; readonly fields: readonly Field[] }
  | { readonly kind: "aggregate"; readonly key: string; readonly values: readonly AggregateValue[] };

export type AggregateValue =
  | { readonly kind: "typename"; readonly key: string }
  | { readonly kind: "count"; readonly key: string; readonly columns: readonly Column[]; readonly distinct: boolean }
  /** Joined in the order of the column that breaks ties. */
  | { readonly kind: "texts"; readonly key: string; readonly column: Column; readonly separator: string }
  | {
      readonly kind: "booleans";
      readonly key: string;
      readonly column: Column;
      readonly name: "bool_and" | "bool_or";
    }
  | { readonly kind: "percentile"; readonly key: string; readonly column: Column; readonly fraction: number }
  | {
      readonly kind: "function";
      readonly key: string;
      readonly name: AggregateName;
      readonly columns: readonly { readonly key: string; readonly column: Column }[];
    };

/** Groups of rows. Without a limit, their order is unspecified unless all keys are sortable. */
export interface GroupField {
  readonly kind: "group";
  readonly key: string;
  readonly rows: Rows;
  readonly where: Filter | undefined;
  readonly by: readonly GroupKey[];
  /** Minimum number of rows of a group. */
  readonly having: number | undefined;
  readonly conditions: readonly GroupCondition[];
  readonly orderBy: readonly GroupOrder[];
  readonly limit: number | undefined;
  readonly offset: number | undefined;
  readonly parts: readonly GroupPart[];
}

/** An aggregate of the rows of a group that a filter selects. */
interface FilteredAggregate<Kind extends AggregateValue["kind"]> {
  readonly value: Extract<AggregateValue, { kind: Kind }>;
  readonly filter: Filter | undefined;
}

/** A text contains another one; a percentile is above a number. */
export type GroupCondition =
  | (FilteredAggregate<"texts"> & { readonly contains: string })
  | (FilteredAggregate<"percentile"> & { readonly above: number });

export type GroupOrder = FilteredAggregate<"count" | "booleans" | "percentile"> & { readonly direction: Direction };

export const dateParts = ["year", "quarter", "month", "day", "day_of_week", "hour", "minute"] as const;

export const dateUnits = ["year", "quarter", "month", "week", "day", "hour", "minute"] as const;

export interface GroupKey {
  /** Response key. */
  readonly key: string;
  /** An object relationship to the row with the column; `undefined` for the grouped row itself. */
  readonly through: Relationship | undefined;
  readonly column: Column;
  readonly part: (typeof dateParts)[number] | undefined;
  /** The key is the start of this unit; absent with a part. */
  readonly unit: (typeof dateUnits)[number] | undefined;
}

export type GroupPart =
  /** Selects all keys. */
  | { readonly kind: "keys"; readonly key: string }
  | {
      readonly kind: "aggregate";
      readonly key: string;
      readonly filter: Filter | undefined;
      readonly values: readonly AggregateValue[];
    }
  /** Rows in the order of the column that breaks ties. */
  | {
      readonly kind: "nodes";
      readonly key: string;
      readonly fields: readonly Field[];
      readonly limit: number | undefined;
      readonly offset: number | undefined;
    };
