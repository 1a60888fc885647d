/**
 * Types of a role's GraphQL schema, built on first use. Requests are validated against them, and the compiler prints
 * them as SDL.
 */

import type { Column } from "../definitions/column.ts";
import type { ColumnAggregate } from "../definitions/column-aggregates.ts";
import type { AggregateFunction, AggregatePredicate, OrderDirection } from "../definitions/dialect.ts";
import type { Distance } from "../definitions/distance.ts";
import type { DatePart, DateUnit } from "../definitions/group-dialect.ts";
import type { Operator } from "../definitions/operator.ts";
import type { RelatedConnects, RelatedWrites } from "../definitions/related-writes.ts";
import type { RemoteSchema } from "../definitions/remote/remote-schema.ts";
import type { ToRemoteSchema, ToSource } from "../definitions/remote-relationship.ts";
import type { RootCall } from "../definitions/root-call.ts";
import type { ActionRoot, NodeRoot, RemoteRoot, RootField, StreamRoot, WriteRoot } from "../definitions/roots.ts";
import type { EnumDefinition } from "../definitions/scalar-type.ts";
import type { Constraint } from "../definitions/table.ts";
import type {
  ArrayRelationship,
  ComputedField,
  ComputedTable,
  NestedInsert,
  Relationship,
  TableView,
} from "../definitions/view.ts";
import type { RelayTexts } from "../relay/relay-texts.ts";

export interface ScalarTypeDef {
  readonly kind: "scalar";
  readonly name: string;
  /** The enum table with its values: an enum in the schema, but values are parameters of a plan. */
  readonly enumeration?: EnumDefinition;
  /** Documents may write values as GraphQL enum values as well as strings. */
  readonly acceptsNames?: true;
  /**
   * Returns the part of a value that determines the statement: each structure has its own plan. Absent: all values are
   * parameters. Invalid values also have a structure; planning refuses them.
   */
  readonly structure?: (value: unknown) => string;
  /** Item scalar of a scalar that represents a list: variables of that type may be items. */
  readonly element?: string;
  readonly description?: string;
}

export interface EnumValue {
  readonly description?: string;
  /** Deprecation reason; absent if not deprecated. */
  readonly deprecation?: string;
  readonly meta: EnumMeta;
}

export type EnumMeta =
  | { readonly kind: "column"; readonly column: Column }
  | { readonly kind: "ordering"; readonly direction: OrderDirection }
  | { readonly kind: "constraint"; readonly constraint: Constraint }
  /** Order of a stream's cursor. */
  | { readonly kind: "cursor_ordering"; readonly descending: boolean }
  /** A part by which groups are formed. */
  | { readonly kind: "date_part"; readonly part: DatePart }
  /** A unit to whose start a key is truncated. */
  | { readonly kind: "date_unit"; readonly unit: DateUnit }
  /** Placeholder of an empty enum; refused in requests. */
  | { readonly kind: "placeholder" }
  /** A value of a remote schema or an action. */
  | { readonly kind: "remote" };

export interface EnumTypeDef {
  readonly kind: "enum";
  readonly name: string;
  readonly description?: string;
  readonly values: ReadonlyMap<string, EnumValue>;
}

export interface InputObjectTypeDef {
  readonly kind: "input";
  readonly name: string;
  readonly description?: string;
  /** By name, in schema order. */
  readonly fields: () => ReadonlyMap<string, InputField>;
  /** Lists of this type are rows, whose number does not affect the plan unless they contain nested rows. */
  readonly isRow?: true;
  /** Values have exactly one field, which is not null (`@oneOf`). */
  readonly isOneOf?: true;
}

export interface ObjectTypeDef {
  readonly kind: "object";
  readonly name: string;
  readonly description?: string;
  readonly fields: () => ReadonlyMap<string, OutputField>;
  readonly interfaces?: () => readonly AbstractTypeDef[];
  /** Key fields of an Apollo Federation entity. */
  readonly key?: readonly string[];
}

/** An interface or a union. */
export interface AbstractTypeDef {
  readonly kind: "interface" | "union";
  readonly name: string;
  readonly description?: string;
  /** Fields of an interface; empty for a union. */
  readonly fields: () => ReadonlyMap<string, OutputField>;
  /** Interfaces that an interface implements. */
  readonly interfaces?: () => readonly AbstractTypeDef[];
  /** Its object types by name. */
  readonly types: () => ReadonlyMap<string, ObjectTypeDef>;
}

export type InputTypeDef = ScalarTypeDef | EnumTypeDef | InputObjectTypeDef;
export type OutputTypeDef = ScalarTypeDef | EnumTypeDef | ObjectTypeDef | AbstractTypeDef;

export interface Modifiers {
  /** A list of non-null items. */
  readonly list: boolean;
  /** Non-null. */
  readonly required: boolean;
  /** The items of the list can be null. */
  readonly nullableItems?: true;
  /** SDL after the name of the type, if the other modifiers cannot express it: `!]]!` of `[[Int!]]!`. */
  readonly suffix?: string;
}

export interface InputField extends Modifiers {
  readonly type: () => InputTypeDef;
  readonly description?: string;
  /** Deprecation reason; absent if not deprecated. */
  readonly deprecation?: string;
  /** A GraphQL literal. */
  readonly defaultValue?: string;
  /** Null means absent. */
  readonly nullIsAbsent: boolean;
  /** Null is passed on as a value. */
  readonly nullIsValue?: true;
  /** Another type with which variables may be declared, for documents written for other schemas. */
  readonly alsoDeclared?: string;
  readonly meta: InputMeta;
}

export interface OutputField extends Modifiers {
  readonly type: () => OutputTypeDef;
  /** Computed only when the schema is printed, never by requests. */
  readonly description?: () => string | undefined;
  /** Deprecation reason; absent if not deprecated. */
  readonly deprecation?: string | undefined;
  readonly args: () => ReadonlyMap<string, InputField>;
  readonly meta: OutputMeta;
  readonly cursors?: RelayTexts;
}

/** Meaning of an input field to the planner. */
export type InputMeta =
  | { readonly kind: "argument"; readonly minimum?: number }
  | { readonly kind: "and" | "or" | "not" }
  | { readonly kind: "column"; readonly column: Column }
  | { readonly kind: "relationship"; readonly relationship: Relationship }
  | { readonly kind: "aggregate"; readonly relationship: ArrayRelationship }
  /** A filter by an aggregate of related rows, and the aggregate. */
  | { readonly kind: "aggregate_predicate"; readonly relationship: ArrayRelationship }
  | { readonly kind: "aggregate_function"; readonly predicate: AggregatePredicate }
  | { readonly kind: "computed"; readonly computed: ComputedField }
  | { readonly kind: "computed_aggregate"; readonly computed: ComputedTable }
  | { readonly kind: "count" }
  /** A condition on groups or an ordering of groups by an aggregate, with the arguments of its field. */
  | { readonly kind: "column_aggregate"; readonly aggregate: ColumnAggregate }
  | { readonly kind: "count_of" }
  /** An ordering by the distance of a vector. */
  | { readonly kind: "distance"; readonly column: Column; readonly distance: Distance }
  | { readonly kind: "function"; readonly function: AggregateFunction }
  | { readonly kind: "operator"; readonly operator: Operator }
  /** One of several operands, by its name in the operator table. */
  | { readonly kind: "operand"; readonly name: string }
  | { readonly kind: "nested"; readonly nested: NestedInsert }
  /** Writes of the related rows of updated rows. */
  | { readonly kind: "related"; readonly writes: RelatedWrites }
  /** Existing rows that become related rows of an inserted row; inside, those of one relationship. */
  | { readonly kind: "connects" }
  | { readonly kind: "connect"; readonly connects: RelatedConnects };

/**
 * Meaning of an output field to the planner. `root`, which executors call, is present for every field of a root type.
 */
export type OutputMeta =
  | { readonly kind: "root"; readonly root: RootField }
  | { readonly kind: "stream"; readonly root: StreamRoot }
  /** A namespace with root fields of a source. */
  | { readonly kind: "namespace"; readonly root: RootCall }
  | { readonly kind: "write"; readonly root: WriteRoot }
  /** A root field of a remote schema, which belongs to the type with this name in the role's schema. */
  | { readonly kind: "remote"; readonly root: RemoteRoot; readonly remote: () => RemoteSchema; readonly type: string }
  /** A field below a root field of a remote schema. */
  | { readonly kind: "remote_member" }
  /** A root field of an action. */
  | { readonly kind: "action"; readonly root: ActionRoot }
  /** A member of an object returned by an action's handler. */
  | { readonly kind: "action_member"; readonly name: string }
  | { readonly kind: "constant"; readonly value: string; readonly root?: RootCall }
  | { readonly kind: "column"; readonly column: Column }
  | { readonly kind: "relationship"; readonly relationship: Relationship }
  | { readonly kind: "relationship_aggregate"; readonly relationship: ArrayRelationship }
  | { readonly kind: "relationship_connection"; readonly relationship: ArrayRelationship }
  | { readonly kind: "relationship_group"; readonly relationship: ArrayRelationship }
  /** Rows of another source, or aggregates over them. */
  | { readonly kind: "join" | "join_aggregate"; readonly join: ToSource }
  /** A field of a remote schema joined to a row, an object of another remote schema, or an action's output. */
  | { readonly kind: "remote_join"; readonly join: ToRemoteSchema }
  /** The row with a global id; `texts` parses ids. */
  | {
      readonly kind: "node";
      readonly root: NodeRoot;
      readonly typeOf: (view: TableView) => ObjectTypeDef;
      readonly texts: RelayTexts;
    }
  /** Global id of a row, built from the database name of its table and its primary key. */
  | {
      readonly kind: "global_id";
      readonly schema: string;
      readonly table: string;
      readonly key: readonly Column[];
      readonly source: string;
      readonly texts: RelayTexts;
    }
  /** The SDL of the schema, for a gateway. */
  | { readonly kind: "sdl" }
  /** Rows by representations; `entities` are the views by type name. */
  | { readonly kind: "entities"; readonly entities: () => ReadonlyMap<string, TableView>; readonly root: RootCall }
  /** Fields of a connection. */
  | { readonly kind: "edges" | "page_info" }
  /** Fields of an edge. */
  | { readonly kind: "cursor" | "edge_node" }
  /** Fields of `pageInfo`. */
  | { readonly kind: "start_cursor" | "end_cursor" | "has_next_page" | "has_previous_page" }
  | { readonly kind: "computed"; readonly computed: ComputedField }
  | { readonly kind: "aggregate" }
  | { readonly kind: "nodes"; readonly view: TableView }
  | { readonly kind: "count" }
  | { readonly kind: "column_aggregate"; readonly aggregate: ColumnAggregate }
  | { readonly kind: "function"; readonly function: AggregateFunction }
  /** The keys of a group; inside, keys of a related row, and keys that are derived from a column. */
  | { readonly kind: "group_key" }
  | { readonly kind: "group_related"; readonly name: string }
  | { readonly kind: "group_derived"; readonly derived: "_part" | "_bucket" | "_at" }
  /** Fields of a mutation response. */
  | { readonly kind: "affected_rows" }
  | { readonly kind: "returning" }
  | { readonly kind: "changes"; readonly view: TableView }
  /** Fields of a change. */
  | { readonly kind: "change_inserted" }
  | { readonly kind: "change_row"; readonly row: "old" | "new" };

const none: ReadonlyMap<string, InputField> = new Map();

export const noArguments: () => ReadonlyMap<string, InputField> = () => none;

/** Prints a type in GraphQL syntax: `[author!]!`. */
export function typeText(field: Modifiers & { readonly type: () => { readonly name: string } }): string {
  return `${"[".repeat(listsOf(field))}${field.type().name}${typeSuffix(field)}`;
}

/** Returns the type of an input object's field in a value: the only field of a type with `@oneOf` is not null. */
export function memberText({ isOneOf }: InputObjectTypeDef, field: InputField): string {
  const text = typeText(field);
  return isOneOf && !text.endsWith("!") ? `${text}!` : text;
}

/** Returns the nesting depth of lists in a field's type. */
export const listsOf = (field: Modifiers): number => typeSuffix(field).split("]").length - 1;

/** Returns the SDL after the name of a type: `]` closes a list, `!` means non-null. */
export function typeSuffix({ list, required, nullableItems, suffix }: Modifiers): string {
  if (suffix !== undefined) return suffix;
  if (!list) return required ? "!" : "";
  if (nullableItems) return required ? "]!" : "]";
  return required ? "!]!" : "!]";
}
