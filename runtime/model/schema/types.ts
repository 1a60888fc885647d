/**
 * The types of a role's GraphQL schema, made when a request first touches them. Requests are validated against
 * them, and the compiler prints them as SDL.
 */

import type { Column } from "../definitions/column.ts";
import type { AggregateFunction, AggregatePredicate, OrderDirection } from "../definitions/dialect.ts";
import type { Operator } from "../definitions/operator.ts";
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
  /** Its values, where they are those of an enum table: the schema shows an enum, to a plan they are parameters. */
  readonly enumeration?: EnumDefinition;
  /** Documents may write values as GraphQL enum values, besides strings. */
  readonly acceptsNames?: true;
  /**
   * What of a value decides the form of a statement: plans are made for it. Absent: nothing, values are parameters.
   * Values that are none of the type have a structure, too; planning refuses them.
   */
  readonly structure?: (value: unknown) => string;
  /** The scalar of its items, where it stands for a list: variables of that may be among them. */
  readonly element?: string;
  readonly description?: string;
}

export interface EnumValue {
  readonly description?: string;
  /** Why it should not be used any more; absent: it may be. */
  readonly deprecation?: string;
  /** What the value stands for. */
  readonly meta: EnumMeta;
}

export type EnumMeta =
  | { readonly kind: "column"; readonly column: Column }
  | { readonly kind: "ordering"; readonly direction: OrderDirection }
  | { readonly kind: "constraint"; readonly constraint: Constraint }
  /** Of the cursor of a stream. */
  | { readonly kind: "cursor_ordering"; readonly descending: boolean }
  /** Stands where there is nothing to choose from, and is refused. */
  | { readonly kind: "placeholder" }
  /** Means something to another service. */
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
  /** By name, in the schema's order. */
  readonly fields: () => ReadonlyMap<string, InputField>;
  /** Lists of it are rows, whose number does not matter to a plan unless there are nested ones. */
  readonly isRow?: true;
}

export interface ObjectTypeDef {
  readonly kind: "object";
  readonly name: string;
  readonly description?: string;
  readonly fields: () => ReadonlyMap<string, OutputField>;
  readonly interfaces?: () => readonly AbstractTypeDef[];
  /** Fields by which a gateway asks for it: an entity of Apollo federation. */
  readonly key?: readonly string[];
}

/** One of several object types. */
export interface AbstractTypeDef {
  readonly kind: "interface" | "union";
  readonly name: string;
  readonly description?: string;
  /** Those that all its types have; a union has none. */
  readonly fields: () => ReadonlyMap<string, OutputField>;
  /** Of an interface: those that it implements. */
  readonly interfaces?: () => readonly AbstractTypeDef[];
  /** The object types that it stands for, by name. */
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
  /** What stands behind the name of the type in SDL, where that is not told by the others: `!]]!` of `[[Int!]]!`. */
  readonly behind?: string;
}

export interface InputField extends Modifiers {
  readonly type: () => InputTypeDef;
  readonly description?: string;
  /** Why it should not be used any more; absent: it may be. */
  readonly deprecation?: string;
  /** As a GraphQL literal. */
  readonly defaultValue?: string;
  /** A null is an absent value (`graphql-api.md` 2.5). */
  readonly nullIsAbsent: boolean;
  /** A null is a value like others, to be passed on. */
  readonly nullIsValue?: true;
  /** A type that variables may be declared with instead: that of schemas which wrote this place otherwise. */
  readonly alsoDeclared?: string;
  readonly meta: InputMeta;
}

export interface OutputField extends Modifiers {
  readonly type: () => OutputTypeDef;
  /** Asked for when a schema is printed, never by requests. */
  readonly description?: () => string | undefined;
  /** Why it should not be used any more; absent: it may be. */
  readonly deprecation?: string | undefined;
  readonly args: () => ReadonlyMap<string, InputField>;
  readonly meta: OutputMeta;
  /** Of a connection. */
  readonly cursors?: RelayTexts;
}

/** What an input field means to the planner. */
export type InputMeta =
  | { readonly kind: "argument" }
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
  | { readonly kind: "function"; readonly function: AggregateFunction }
  | { readonly kind: "operator"; readonly operator: Operator }
  /** One of several operands, by its name in the operator table. */
  | { readonly kind: "operand"; readonly name: string }
  /** Rows that are inserted along. */
  | { readonly kind: "nested"; readonly nested: NestedInsert };

/** What an output field means to the planner; `root` is what executors call, of each field that a root type can have. */
export type OutputMeta =
  | { readonly kind: "root"; readonly root: RootField }
  | { readonly kind: "stream"; readonly root: StreamRoot }
  /** The root fields of a source stand below it. */
  | { readonly kind: "namespace"; readonly root: RootCall }
  | { readonly kind: "write"; readonly root: WriteRoot }
  /** A remote server answers it: a field of the root type of this name, as the role calls it. */
  | { readonly kind: "remote"; readonly root: RemoteRoot; readonly remote: () => RemoteSchema; readonly type: string }
  /** Stands below such a field. */
  | { readonly kind: "remote_member" }
  /** The handler of an action answers it. */
  | { readonly kind: "action"; readonly root: ActionRoot }
  /** Stands below such a field: a member of an object that the handler answers. */
  | { readonly kind: "action_member"; readonly name: string }
  | { readonly kind: "constant"; readonly value: string; readonly root?: RootCall }
  | { readonly kind: "column"; readonly column: Column }
  | { readonly kind: "relationship"; readonly relationship: Relationship }
  | { readonly kind: "relationship_aggregate"; readonly relationship: ArrayRelationship }
  | { readonly kind: "relationship_connection"; readonly relationship: ArrayRelationship }
  /** Rows of another source, or aggregates over them. */
  | { readonly kind: "join" | "join_aggregate"; readonly join: ToSource }
  /** What a remote server answers beside a row, an object of another server, or of an action. */
  | { readonly kind: "remote_join"; readonly join: ToRemoteSchema }
  /** The row with a global id; `texts`: as ids are read. */
  | {
      readonly kind: "node";
      readonly root: NodeRoot;
      readonly typeOf: (view: TableView) => ObjectTypeDef;
      readonly texts: RelayTexts;
    }
  /** Of a row of the table with these names in the database, made of its primary key. */
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
  /** Rows by representations; `entities`: by the names of their types. */
  | { readonly kind: "entities"; readonly entities: () => ReadonlyMap<string, TableView>; readonly root: RootCall }
  /** Of a connection. */
  | { readonly kind: "edges" | "page_info" }
  /** Of an edge. */
  | { readonly kind: "cursor" | "edge_node" }
  /** Of the information on a page. */
  | { readonly kind: "start_cursor" | "end_cursor" | "has_next_page" | "has_previous_page" }
  | { readonly kind: "computed"; readonly computed: ComputedField }
  | { readonly kind: "aggregate" }
  | { readonly kind: "nodes"; readonly view: TableView }
  | { readonly kind: "count" }
  | { readonly kind: "function"; readonly function: AggregateFunction }
  /** Of the response of a mutation. */
  | { readonly kind: "affected_rows" }
  | { readonly kind: "returning" };

const none: ReadonlyMap<string, InputField> = new Map();

export const noArguments: () => ReadonlyMap<string, InputField> = () => none;

/** The type as it is written in GraphQL: `[author!]!`. */
export function typeText(field: Modifiers & { readonly type: () => { readonly name: string } }): string {
  return `${"[".repeat(listsOf(field))}${field.type().name}${behindName(field)}`;
}

/** In how many lists the values of a field stand. */
export const listsOf = (field: Modifiers): number => behindName(field).split("]").length - 1;

/** What stands behind the name of the type: `]` makes a list of it, `!` says that it is not null. */
export function behindName({ list, required, nullableItems, behind }: Modifiers): string {
  if (behind !== undefined) return behind;
  if (!list) return required ? "!" : "";
  if (nullableItems) return required ? "]!" : "]";
  return required ? "!]!" : "!]";
}
