/** A consistent table of the Analysis: names, columns, relationships and permissions, bound to what they name. */

import type { NestedModelType } from "../catalog/field-types.ts";
import type {
  ComputedField,
  DeletePermission,
  EventTrigger,
  InsertPermission,
  Json,
  Permission,
  QualifiedName,
  RemoteRelationship,
  RootFieldKey,
  SelectPermission,
  SelectRootField,
  SourceKind,
  SubscriptionRootField,
  Table,
  UpdatePermission,
} from "../catalog/model.ts";
import type { JoinedColumns } from "../dialects/dialect.ts";
import type { ColumnShape, FunctionShape, TableShape, TypeRef } from "../shape/shape.ts";
import type { Dependency } from "./dependency.ts";
import type { Inconsistency } from "./inconsistency.ts";

export interface AnalyzedTable {
  readonly source: string;
  /** `schema.name`, with dots and backslashes of either part escaped: unique within a source. */
  readonly key: string;
  readonly table: Table;
  readonly shape: TableShape;
  /** Name in messages and descriptions: with its schema unless that is the default one. */
  readonly displayName: string;
  /**
   * Name of the object type, in the source's naming convention but without its prefix and suffix; the base of other
   * type names. `null` leaves the table out of the schema.
   */
  readonly graphqlName: string | null;
  /** Final names of the root fields that admin could have; `null` where `graphqlName` is. */
  readonly rootFields: Readonly<Record<RootFieldKey, RootFieldName>> | null;
  /** Name of the Relay field for pages of its rows; `null` where `graphqlName` is. */
  readonly connectionField: string | null;
  readonly description: string | undefined;
  /** In the order of the table. */
  readonly columns: readonly AnalyzedColumn[];
  readonly primaryKey: readonly AnalyzedColumn[];
  /** By name, in order. */
  readonly relationships: ReadonlyMap<string, AnalyzedRelationship>;
  /** By name, in order. */
  readonly computedFields: ReadonlyMap<string, AnalyzedComputedField>;
  /** Those whose names are free, by name, in order; `Analysis.remoteRelationships` has the consistent ones. */
  readonly remoteRelationships: ReadonlyMap<string, RemoteRelationship>;
  /** By name, in order. */
  readonly eventTriggers: ReadonlyMap<string, AnalyzedEventTrigger>;
  /** By role, in order. */
  readonly select: ReadonlyMap<string, AnalyzedSelect>;
  readonly insert: ReadonlyMap<string, AnalyzedInsert>;
  readonly update: ReadonlyMap<string, AnalyzedUpdate>;
  readonly delete: ReadonlyMap<string, AnalyzedDelete>;
  /** Names of relationships that were given up because of what they depend on. */
  readonly dangling: readonly string[];
  /** Of what the table owns, by `objectKey`. */
  readonly dependencies: ReadonlyMap<string, readonly Dependency[]>;
  /** Of its permissions and event triggers. */
  readonly inconsistencies: readonly Inconsistency[];
}

export interface RootFieldName {
  /** With the source's prefix and suffix, without its namespace. */
  readonly name: string;
  /** Replaces the default description; `""`: none. */
  readonly comment: string | undefined;
}

export interface AnalyzedColumn {
  readonly name: string;
  /** Name in the GraphQL schema; `null` where no valid one exists. */
  readonly field: string | null;
  readonly shape: ColumnShape;
  readonly description: string | undefined;
  /** Key of the enum table whose values it holds. */
  readonly enumTable: string | undefined;
  /** Of a field of a logical model that holds another one, or a list of them, as JSON: its name. */
  readonly model?: NestedModelType;
}

export interface AnalyzedRelationship {
  readonly name: string;
  readonly kind: "object" | "array";
  readonly comment: string | undefined;
  /** Key of the other table, in the same source. */
  readonly target: string;
  /** Own column and column of the other table, in the order of the key or mapping. */
  readonly mapping: readonly JoinedColumns[];
  /** The other table's joined columns include a key of it: at most one row matches. */
  readonly unique: boolean;
  /** A foreign key of this table whose columns are all NOT NULL. */
  readonly required: boolean;
  readonly origin: "foreign_key" | "foreign_key_of_other" | "manual";
  /** When a nested insert writes the other row. */
  readonly insertionOrder: "before_parent" | "after_parent";
}

export interface AnalyzedComputedField {
  readonly name: string;
  readonly field: ComputedField;
  readonly function: FunctionShape;
  readonly description: string | undefined;
  /** Positions among the function's arguments; all others are the request's. */
  readonly tableArgument: number | undefined;
  /** Columns of the row by the positions of the arguments that get them, where no argument gets the row itself. */
  readonly columnArguments: ReadonlyMap<number, string>;
  readonly sessionArgument: number | undefined;
  readonly returns:
    | { readonly kind: "scalar"; readonly type: TypeRef }
    /** Rows of the table with this key. */
    | { readonly kind: "table"; readonly target: string };
}

export interface AnalyzedEventTrigger {
  readonly trigger: EventTrigger;
  readonly condition?: ChangePredicate;
}

/** What has to hold of a change of a row. */
export type ChangePredicate =
  /** All hold, or any holds; no items: true, or false. */
  | { readonly kind: "and" | "or"; readonly items: readonly ChangePredicate[] }
  | { readonly kind: "not"; readonly item: ChangePredicate }
  /** There is such a row, and it meets `where`. */
  | { readonly kind: "row"; readonly row: "old" | "new"; readonly where: Predicate };

/** A boolean expression bound to its tables. Its null-safety is already decided. */
export type Predicate =
  /** All hold; no items: true. */
  | { readonly kind: "and"; readonly items: readonly Predicate[] }
  /** Any holds; no items: false. */
  | { readonly kind: "or"; readonly items: readonly Predicate[] }
  | { readonly kind: "not"; readonly item: Predicate }
  | { readonly kind: "is_null"; readonly column: ColumnOperand; readonly negated: boolean }
  /**
   * `column operator operand`; the operator's name is one of the dialect's operator table. A literal null makes the
   * comparison NULL, as in SQL: neither true nor, under `not`, false.
   */
  | {
      readonly kind: "compare";
      readonly column: ColumnOperand;
      readonly operator: string;
      readonly operand: Operand;
    }
  /** An operator with several operands, such as `_st_d_within`: one for each of its fields, in their order. */
  | {
      readonly kind: "compare_structured";
      readonly column: ColumnOperand;
      readonly operator: string;
      readonly operands: readonly (Operand | undefined)[];
    }
  /** Column against column, operators `=`, `<>`, `>`, `<`, `>=`, `<=`. */
  | {
      readonly kind: "compare_columns";
      readonly left: ColumnOperand;
      readonly operator: "=" | "<>" | ">" | "<" | ">=" | "<=";
      readonly right: { readonly column: string; readonly of: "row" | "root" };
    }
  /** A related row meets `where`. */
  | { readonly kind: "related"; readonly relationship: AnalyzedRelationship; readonly where: Predicate }
  /** Some row that a computed field gives meets `where`; `target`: key of the table whose rows it gives. */
  | {
      readonly kind: "computed_rows";
      readonly computed: AnalyzedComputedField;
      readonly target: string;
      readonly where: Predicate;
    }
  /** Some row of another table of the source meets `where`; uncorrelated. */
  | { readonly kind: "exists"; readonly table: string; readonly where: Predicate }
  /** The column is one of the values that rows of another source have. */
  | { readonly kind: "elsewhere"; readonly column: ColumnOperand; readonly rows: RowsElsewhere };

/** Rows of another source, and which of their columns is looked at. */
export interface RowsElsewhere {
  readonly source: string;
  readonly kind: SourceKind;
  readonly table: QualifiedName;
  readonly column: string;
  readonly type: TypeRef;
  /** What has to hold of them, in terms of their source. */
  readonly where: Predicate;
  /** The tables that `where` names, by key. */
  readonly tables: Readonly<Record<string, QualifiedName>>;
}

export interface ColumnOperand {
  readonly name: string;
  readonly type: TypeRef;
  /** The computed field of that name, whose value is compared in place of a column's. */
  readonly computed?: AnalyzedComputedField;
  /** Compared after a cast to this type: `_cast`. */
  readonly cast?: string;
}

/** What a column is compared with. */
export type Operand =
  | { readonly kind: "session"; readonly variable: string }
  | { readonly kind: "literal"; readonly value: Json };

export interface AnalyzedSelect {
  readonly role: string;
  readonly permission: Permission<SelectPermission>;
  /** In the order of the table. */
  readonly columns: readonly AnalyzedColumn[];
  /** Scalar computed fields, in the order of their names. */
  readonly computedFields: readonly AnalyzedComputedField[];
  readonly filter: Predicate;
  readonly limit: number | undefined;
  readonly aggregations: boolean;
  /** `null`: all. */
  readonly queryRootFields: readonly SelectRootField[] | null;
  readonly subscriptionRootFields: readonly SubscriptionRootField[] | null;
  /**
   * Of an inherited role: the permissions that it is merged of, in the order of their roles. A column that only some
   * of them give shows on the rows of those.
   */
  readonly parents?: readonly AnalyzedSelect[];
}

/** Presets: column → value, in the order of the table. */
export type Presets = readonly { readonly column: AnalyzedColumn; readonly value: Operand }[];

export interface AnalyzedInsert {
  readonly role: string;
  readonly permission: Permission<InsertPermission>;
  /** What requests may set: neither presets nor generated columns. */
  readonly columns: readonly AnalyzedColumn[];
  readonly check: Predicate;
  readonly presets: Presets;
}

export interface AnalyzedUpdate {
  readonly role: string;
  readonly permission: Permission<UpdatePermission>;
  /** What requests may set: neither presets nor generated columns. */
  readonly columns: readonly AnalyzedColumn[];
  readonly filter: Predicate;
  readonly check: Predicate;
  readonly presets: Presets;
}

export interface AnalyzedDelete {
  readonly role: string;
  readonly permission: Permission<DeletePermission>;
  readonly filter: Predicate;
}

/** The arguments of a computed field's function that a request gives, in order. */
export function givenArguments({
  function: shape,
  tableArgument,
  columnArguments,
  sessionArgument,
}: AnalyzedComputedField): FunctionShape["arguments"] {
  return shape.arguments.filter(
    (_, position) => position !== tableArgument && position !== sessionArgument && !columnArguments.has(position),
  );
}
