/**
 * Root fields of a role, declared in the generated `root-fields.ts`: the view that they read, and the kind of read. The
 * planner reads them as definitions; GraphQL executors call them as resolvers.
 */

import { lazy } from "../../values/lazy.ts";
import type { ActionDefinition } from "./actions/action.ts";
import type { Outputs } from "./actions/output.ts";
import type { TrackedFunction } from "./function.ts";
import type { RemoteSchema } from "./remote/remote-schema.ts";
import type { RemoteRelationships } from "./remote-relationship.ts";
import { type RootCall, rootCall } from "./root-call.ts";
import type { SourceDefinition } from "./table.ts";
import type { TableView } from "./view.ts";

export type RootField = ReadRoot | FunctionRoot;

/** Rows of one view, or aggregates over them. */
interface ReadRoot extends RootCall {
  readonly kind:
    | "select_many"
    | "select_by_pk"
    | "select_aggregate"
    | "select_group"
    | "select_connection"
    | "native_query"
    | "stored_procedure";
  readonly view: () => TableView;
  readonly description?: string;
}

/** Rows returned by a function, or aggregates over them. */
export interface FunctionRoot extends RootCall {
  readonly kind: "function" | "function_aggregate" | "function_connection";
  /** View of the returned rows. */
  readonly view: () => TableView;
  readonly function: TrackedFunction;
  readonly description?: string;
}

/** Streams rows of a table in the order of a cursor column, in batches; subscriptions only. */
export interface StreamRoot extends RootCall {
  readonly kind: "select_stream";
  readonly view: () => TableView;
  readonly description?: string;
}

/** A subscription field that is read from a database. */
export type LiveRoot = RootField | StreamRoot;

export type SubscriptionRoot = LiveRoot | RemoteRoot | ActionRoot;

interface RootOptions {
  /** Replaces the default description; `""` removes it. */
  readonly description?: string;
}

/** Declares a list of rows: `where`, `order_by`, `limit`, `offset`, `distinct_on`. */
export function selectMany(view: () => TableView, options: RootOptions = {}): RootField {
  return rootCall({ kind: "select_many", view, ...options });
}

/** Declares a row by its primary key; null if there is none. */
export function selectByPk(view: () => TableView, options: RootOptions = {}): RootField {
  return rootCall({ kind: "select_by_pk", view, ...options });
}

/** Declares aggregates over rows, with the rows. */
export function selectAggregate(view: () => TableView, options: RootOptions = {}): RootField {
  return rootCall({ kind: "select_aggregate", view, ...options });
}

/** Declares groups of rows with equal keys, with aggregates over each group. */
export function selectGroups(view: () => TableView, options: RootOptions = {}): RootField {
  return rootCall({ kind: "select_group", view, ...options });
}

/** Declares a connection of rows, for the Relay API. */
export function selectConnection(view: () => TableView): RootField {
  return rootCall({ kind: "select_connection", view });
}

/** Declares the rows of a native query. */
export function selectNative(view: () => TableView, options: RootOptions = {}): RootField {
  return rootCall({ kind: "native_query", view, ...options });
}

/** Declares the rows of a stored procedure; queries only. */
export function selectProcedure(view: () => TableView, options: RootOptions = {}): RootField {
  return rootCall({ kind: "stored_procedure", view, ...options });
}

/** Declares the rows of a function; a single row or null unless it returns a set. */
export function selectFunction(view: () => TableView, call: TrackedFunction, options: RootOptions = {}): FunctionRoot {
  return rootCall({ kind: "function", view, function: call, ...options });
}

/** Declares aggregates over the rows of a function, with the rows. */
export function selectFunctionAggregate(
  view: () => TableView,
  call: TrackedFunction,
  options: RootOptions = {},
): FunctionRoot {
  return rootCall({ kind: "function_aggregate", view, function: call, ...options });
}

/** Declares a stream of rows in the order of a cursor: `cursor`, `batch_size`, `where`. */
export function streamRows(view: () => TableView, options: RootOptions = {}): StreamRoot {
  return rootCall({ kind: "select_stream", view, ...options });
}

/** Declares a connection of the rows of a function, for the Relay API. */
export function selectFunctionConnection(view: () => TableView, call: TrackedFunction): RootField {
  return rootCall({ kind: "function_connection", view, function: call });
}

/** Mutation root fields that write rows of a table. */
export type WriteKind = "insert" | "insert_one" | "update" | "update_by_pk" | "update_many" | "delete" | "delete_by_pk";

export interface WriteRoot extends RootCall {
  readonly kind: WriteKind;
  readonly view: () => TableView;
  readonly description?: string;
  /** Requires a request that may use backend-only permissions. */
  readonly backendOnly: boolean;
}

export type MutationRoot = WriteRoot | FunctionRoot | RemoteRoot | ActionRoot;

/** A root field of a remote schema, or a namespace with all of its root fields. */
export interface RemoteRoot extends RootCall {
  readonly kind: "remote" | "remote_namespace";
  readonly remote: () => RemoteSchema;
}

/** Declares a root field of a remote schema, under its name in the remote schema. */
export function remoteField(remote: () => RemoteSchema): RemoteRoot {
  return rootCall({ kind: "remote", remote });
}

/** Declares a namespace with all fields of a root type of a remote schema. */
export function remoteNamespace(remote: () => RemoteSchema): RemoteRoot {
  return rootCall({ kind: "remote_namespace", remote });
}

/**
 * A root field of an action (`action`); for an asynchronous action, a field that starts a call, and a field with
 * its result.
 */
export interface ActionRoot extends RootCall {
  readonly kind: "action" | "start_action" | "action_result";
  readonly action: () => ActionDefinition;
  /** Output types with relationships that the role may use, by name. */
  readonly outputs: Outputs;
  /** Remote relationships of the output's objects, by type name. */
  readonly relationships: Readonly<Record<string, () => RemoteRelationships>>;
}

/** Declares the root field of an action. */
export function callAction(
  action: () => ActionDefinition,
  outputs: Outputs = {},
  relationships: ActionRoot["relationships"] = {},
): ActionRoot {
  return rootCall({ kind: "action", action, outputs, relationships });
}

/** Declares a field that starts an asynchronous call, and returns the id of its result. */
export function startAction(action: () => ActionDefinition): ActionRoot {
  return rootCall({ kind: "start_action", action, outputs: {}, relationships: {} });
}

/** Declares the result of an asynchronous call, by its id. */
export function actionResult(
  action: () => ActionDefinition,
  outputs: Outputs = {},
  relationships: ActionRoot["relationships"] = {},
): ActionRoot {
  return rootCall({ kind: "action_result", action, outputs, relationships });
}

export type QueryRoot = RootField | RemoteRoot | ActionRoot;

interface WriteOptions extends RootOptions {
  readonly backendOnly?: boolean;
}

const write =
  (kind: WriteKind) =>
  (view: () => TableView, options: WriteOptions = {}): WriteRoot =>
    rootCall({ kind, view, backendOnly: false, ...options });

export const insertRows = write("insert");
export const insertRow = write("insert_one");
export const updateRows = write("update");
export const updateByPk = write("update_by_pk");
/** Runs several updates in order. */
export const updateMany = write("update_many");
export const deleteRows = write("delete");
export const deleteByPk = write("delete_by_pk");

/** A namespace with the root fields of one source. */
export interface Namespace<Root> extends RootCall {
  readonly kind: "namespace";
  readonly source: SourceDefinition;
  readonly fields: Readonly<Record<string, Root>>;
}

export function namespace<Root>(source: SourceDefinition, fields: Readonly<Record<string, Root>>): Namespace<Root> {
  return rootCall({ kind: "namespace", source, fields });
}

/** Fields of a root type, by name. */
export type RootRecord<Root> = Readonly<Record<string, Root | Namespace<Root>>>;

/** Part of the sorted fields: the name of its first field, and the fields up to the next part. */
export type RootPart<Root> = readonly [first: string, fields: () => RootRecord<Root>];

/** Fields in parts, sorted by name. A part is loaded when one of its fields is used. */
export class RootParts<Root> {
  readonly parts: readonly RootPart<Root>[];
  /** Fields outside the parts. */
  readonly others: RootRecord<Root>;

  constructor(parts: readonly RootPart<Root>[], others: RootRecord<Root>) {
    this.parts = parts;
    this.others = others;
  }

  named(name: string): Root | Namespace<Root> | undefined {
    if (Object.hasOwn(this.others, name)) return this.others[name];
    const fields = this.parts.findLast(([first]) => first <= name)?.[1]();
    return fields && Object.hasOwn(fields, name) ? fields[name] : undefined;
  }

  /** Yields all names in order, loading one part after another. */
  *names(): Iterable<string> {
    let others = Object.keys(this.others);
    for (const [i, [, fields]] of this.parts.entries()) {
      const next = this.parts[i + 1]?.[0];
      const isHere = (name: string) => next === undefined || name < next;
      yield* [...others.filter(isHere), ...Object.keys(fields())].sort();
      others = others.filter((name) => !isHere(name));
    }
    yield* others.sort();
  }

  /** Returns a copy with `change` applied to the fields of each part and to those outside the parts. */
  map(change: (fields: RootRecord<Root>) => RootRecord<Root>): RootParts<Root> {
    const parts = this.parts.map(([first, fields]): RootPart<Root> => [first, lazy(() => change(fields()))]);
    return new RootParts(parts, change(this.others));
  }
}

export function inParts<Root>(parts: readonly RootPart<Root>[], others: RootRecord<Root> = {}): RootParts<Root> {
  return new RootParts(parts, others);
}

export type Roots<Root> = RootRecord<Root> | RootParts<Root>;

/** One part of a role's fields. */
interface RolePart {
  readonly query: RootRecord<QueryRoot>;
  readonly subscription: RootRecord<SubscriptionRoot>;
  readonly mutation: RootRecord<MutationRoot>;
}

export function rolePart(fields: Partial<RolePart>): RolePart {
  return { query: {}, subscription: {}, mutation: {}, ...fields };
}

/** Tables on which a role has a permission, by source, schema and name. */
export type TablesByName = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, () => TableView>>>>>
>;

/** Root fields and tables of one role. */
export interface RoleDefinition {
  readonly role: string;
  readonly query: Roots<QueryRoot>;
  readonly subscription: Roots<SubscriptionRoot>;
  readonly mutation: Roots<MutationRoot>;
  /** For the data operations of `/v1/query`, which use database names. */
  readonly tables: TablesByName;
  /** Entities of Apollo Federation; absent if the engine is not a subgraph. */
  readonly entities?: readonly (() => TableView)[];
}

/**
 * Declares a role.
 * @param definition `tables` may be a function, because they are in a module that is loaded on first use
 */
export function defineRole({
  tables = {},
  ...definition
}: Pick<RoleDefinition, "role" | "query"> &
  Partial<Omit<RoleDefinition, "tables">> & {
    readonly tables?: TablesByName | (() => TablesByName);
  }): RoleDefinition {
  return {
    subscription: {},
    mutation: {},
    ...definition,
    get tables() {
      return typeof tables === "function" ? tables() : tables;
    },
  };
}

/** A row of one of `tables` by its global id. */
export interface NodeRoot extends RootCall {
  readonly kind: "node";
  readonly tables: TablesByName;
}

/**
 * Declares a row of one of `tables` by its global id, for the Relay API.
 * @param except by source, schema and name
 */
export function selectNode(
  tables: TablesByName,
  { except = [] }: { readonly except?: readonly (readonly [source: string, schema: string, name: string])[] } = {},
): NodeRoot {
  if (except.length === 0) return rootCall({ kind: "node", tables });
  const left = new Set(except.map((name) => JSON.stringify(name)));
  const kept = Object.entries(tables).map(([source, schemas]) => {
    const own = Object.entries(schemas).map(([schema, names]) => {
      const isKept = ([name]: readonly [string, unknown]) => !left.has(JSON.stringify([source, schema, name]));
      return [schema, Object.fromEntries(Object.entries(names).filter(isKept))] as const;
    });
    return [source, Object.fromEntries(own)] as const;
  });
  return rootCall({ kind: "node", tables: Object.fromEntries(kept) });
}

/** Root fields of one role in the Relay API, without its mutations. */
export interface RelayDefinition {
  readonly query: Roots<RootField | NodeRoot>;
  readonly subscription: Roots<RootField | NodeRoot>;
}

export function defineRelay(definition: RelayDefinition): RelayDefinition {
  return definition;
}
