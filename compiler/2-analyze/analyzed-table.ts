/**
 * A consistent table of the analysis: names, columns, relationships and permissions, bound to the objects they name.
 */

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
import type { Inconsistency } from "./inconsistency.ts";
import type { Dependency } from "./object-id.ts";

export interface AnalyzedTable {
  readonly source: string;
  /** `schema.name`, with dots and backslashes of either part escaped: unique within a source. */
  readonly key: string;
  readonly table: Table;
  readonly shape: TableShape;
  /** Name in messages and descriptions: qualified unless the table is in the default schema. */
  readonly displayName: string;
  /**
   * Name of the object type, in the source's naming convention but without its prefix and suffix; the base of other
   * type names. `null` leaves the table out of the schema.
   */
  readonly graphqlName: string | null;
  /** Final names of all root fields that the table can have; `null` if `graphqlName` is `null`. */
  readonly rootFields: Readonly<Record<RootFieldKey, RootFieldName>> | null;
  /** Name of the Relay connection field; `null` if `graphqlName` is `null`. */
  readonly connectionField: string | null;
  readonly description: string | undefined;
  /** In table order. */
  readonly columns: readonly AnalyzedColumn[];
  readonly primaryKey: readonly AnalyzedColumn[];
  /** By name, sorted. */
  readonly relationships: ReadonlyMap<string, AnalyzedRelationship>;
  /** By name, sorted. */
  readonly computedFields: ReadonlyMap<string, AnalyzedComputedField>;
  /**
   * Remote relationships without name clashes, by name, sorted. `Analysis.remoteRelationships` has the consistent ones.
   */
  readonly remoteRelationships: ReadonlyMap<string, RemoteRelationship>;
  /** By name, sorted. */
  readonly eventTriggers: ReadonlyMap<string, AnalyzedEventTrigger>;
  /** By role, sorted. */
  readonly select: ReadonlyMap<string, AnalyzedSelect>;
  readonly insert: ReadonlyMap<string, AnalyzedInsert>;
  readonly update: ReadonlyMap<string, AnalyzedUpdate>;
  readonly delete: ReadonlyMap<string, AnalyzedDelete>;
  /** Names of relationships that are inconsistent because of a dependency. */
  readonly dangling: readonly string[];
  /** Dependencies of the objects that the table owns, by `objectKey`. */
  readonly dependencies: ReadonlyMap<string, readonly Dependency[]>;
  readonly inconsistencies: readonly Inconsistency[];
}

export interface RootFieldName {
  /** Name with the source's prefix and suffix, without its namespace. */
  readonly name: string;
  /** Replaces the default description; `""` removes it. */
  readonly comment: string | undefined;
}

export interface AnalyzedColumn {
  readonly name: string;
  /** Name in the GraphQL schema; `null` if the column has no valid name. */
  readonly field: string | null;
  readonly shape: ColumnShape;
  readonly description: string | undefined;
  /** Key of the enum table whose values the column contains. */
  readonly enumTable: string | undefined;
  /** Name of the nested model, single or as a list, of a logical model's field. The column contains JSON. */
  readonly model?: NestedModelType;
}

export interface AnalyzedRelationship {
  readonly name: string;
  readonly kind: "object" | "array";
  readonly comment: string | undefined;
  /** Key of the other table, in the same source. */
  readonly target: string;
  /** Pairs of a column of this table and of the other table, in the order of the key or mapping. */
  readonly mapping: readonly JoinedColumns[];
  /** The joined columns include a key of the other table: at most one row matches. */
  readonly unique: boolean;
  /** Based on a foreign key of this table whose columns are all NOT NULL. */
  readonly required: boolean;
  readonly origin: "foreign_key" | "foreign_key_of_other" | "manual";
  /** Determines whether a nested insert writes the other row before or after this one. */
  readonly insertionOrder: "before_parent" | "after_parent";
}

export interface AnalyzedComputedField {
  readonly name: string;
  readonly field: ComputedField;
  readonly function: FunctionShape;
  readonly description: string | undefined;
  /** Position of the argument that receives the row. `givenArguments` returns the arguments that requests set. */
  readonly tableArgument: number | undefined;
  /** Columns of the row by argument position, for functions that do not take the row itself. */
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

export type ChangePredicate =
  /** All or any of the items hold. Without items, `and` is true and `or` is false. */
  | { readonly kind: "and" | "or"; readonly items: readonly ChangePredicate[] }
  | { readonly kind: "not"; readonly item: ChangePredicate }
  /** The change has this row, and the row meets `where`. */
  | { readonly kind: "row"; readonly row: "old" | "new"; readonly where: Predicate };

/** A boolean expression bound to its tables. Null safety is already decided. */
export type Predicate =
  /** All items hold; true without items. */
  | { readonly kind: "and"; readonly items: readonly Predicate[] }
  /** Any item holds; false without items. */
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
  /**
   * An operator with several operands, such as `_st_d_within`: one operand for each field, in the order of the fields.
   */
  | {
      readonly kind: "compare_structured";
      readonly column: ColumnOperand;
      readonly operator: string;
      readonly operands: readonly (Operand | undefined)[];
    }
  /** A comparison of two columns with `=`, `<>`, `>`, `<`, `>=` or `<=`. */
  | {
      readonly kind: "compare_columns";
      readonly left: ColumnOperand;
      readonly operator: "=" | "<>" | ">" | "<" | ">=" | "<=";
      readonly right: { readonly column: string; readonly of: "row" | "root" };
    }
  /** A related row meets `where`. */
  | { readonly kind: "related"; readonly relationship: AnalyzedRelationship; readonly where: Predicate }
  /**
   * `_permitted`: the role may select a related row. `where` is the row filter of its select permission on the target,
   * whose root is the related row; false until `permission-references.ts` resolves it.
   */
  | {
      readonly kind: "permitted";
      /** Key of the table that has the relationship. */
      readonly owner: string;
      readonly relationship: AnalyzedRelationship;
      readonly where: Predicate;
    }
  /** A row returned by a computed field meets `where`; `target` is the key of its table. */
  | {
      readonly kind: "computed_rows";
      readonly computed: AnalyzedComputedField;
      readonly target: string;
      readonly where: Predicate;
    }
  /** A row of another table of the source meets `where`; uncorrelated. */
  | { readonly kind: "exists"; readonly table: string; readonly where: Predicate }
  /** The column equals one of the values in matching rows of another source. */
  | { readonly kind: "crossSource"; readonly column: ColumnOperand; readonly rows: CrossSourceRows };

/** Rows of another source, and the column whose values are read. */
export interface CrossSourceRows {
  readonly source: string;
  readonly kind: SourceKind;
  readonly table: QualifiedName;
  readonly column: string;
  readonly type: TypeRef;
  /** Condition on the rows, bound to their own source. */
  readonly where: Predicate;
  /** Tables named in `where`, by key. */
  readonly tables: Readonly<Record<string, QualifiedName>>;
}

export interface ColumnOperand {
  readonly name: string;
  readonly type: TypeRef;
  /** Set if the value of the computed field with this name is compared instead of a column. */
  readonly computed?: AnalyzedComputedField;
  /** Type to which the column is cast before the comparison: `_cast`. */
  readonly cast?: string;
}

export type Operand =
  | { readonly kind: "session"; readonly variable: string }
  | { readonly kind: "literal"; readonly value: Json };

export interface AnalyzedSelect {
  readonly role: string;
  readonly permission: Permission<SelectPermission>;
  /** In table order. */
  readonly columns: readonly AnalyzedColumn[];
  /** Scalar computed fields, sorted by name. */
  readonly computedFields: readonly AnalyzedComputedField[];
  readonly filter: Predicate;
  readonly limit: number | undefined;
  readonly aggregations: boolean;
  /** `null` allows all. */
  readonly queryRootFields: readonly SelectRootField[] | null;
  readonly subscriptionRootFields: readonly SubscriptionRootField[] | null;
  /**
   * The merged permissions of an inherited role, sorted by role. A column is null in rows that are admitted only by
   * permissions without that column.
   */
  readonly parents?: readonly AnalyzedSelect[];
}

/** Column presets, in table order. */
export type Presets = readonly { readonly column: AnalyzedColumn; readonly value: Operand }[];

export interface AnalyzedInsert {
  readonly role: string;
  readonly permission: Permission<InsertPermission>;
  /** Columns that requests may set, without presets and generated columns. */
  readonly columns: readonly AnalyzedColumn[];
  readonly check: Predicate;
  readonly presets: Presets;
  readonly parents?: Parents<AnalyzedInsert>;
}

export interface AnalyzedUpdate {
  readonly role: string;
  readonly permission: Permission<UpdatePermission>;
  /** Columns that requests may set, without presets and generated columns. */
  readonly columns: readonly AnalyzedColumn[];
  readonly filter: Predicate;
  readonly check: Predicate;
  readonly presets: Presets;
  readonly parents?: Parents<AnalyzedUpdate>;
}

export interface AnalyzedDelete {
  readonly role: string;
  readonly permission: Permission<DeletePermission>;
  readonly filter: Predicate;
  readonly parents?: Parents<AnalyzedDelete>;
}

/**
 * The parents' permissions that an inherited role merges, sorted by role. A write of a row requires a parent whose
 * permission allows it alone; the other members of the merged permission cover all parents.
 */
type Parents<T> = readonly T[];

/** Returns the arguments of a computed field that requests set, in order. */
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

/** Returns the field names of a key's columns; `undefined` without a key, or if a column is not in the schema. */
export function keyFields(key: readonly AnalyzedColumn[]): readonly string[] | undefined {
  const fields = key.flatMap(({ field }) => (field === null ? [] : [field]));
  return fields.length > 0 && fields.length === key.length ? fields : undefined;
}
