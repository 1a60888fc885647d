/**
 * Root fields of a role: which view they read, and how. Declared in the generated `resolvers.ts`. The planner reads them
 * as definitions, GraphQL executors call them as resolvers.
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

/** Rows of one view, or what is computed from them. */
interface ReadRoot extends RootCall {
  readonly kind:
    | "select_many"
    | "select_by_pk"
    | "select_aggregate"
    | "select_connection"
    | "native_query"
    | "stored_procedure";
  readonly view: () => TableView;
  readonly description?: string;
}

/** Rows that a function gives, or aggregates over them. */
export interface FunctionRoot extends RootCall {
  readonly kind: "function" | "function_aggregate" | "function_connection";
  /** What the role may read of them. */
  readonly view: () => TableView;
  readonly function: TrackedFunction;
  readonly description?: string;
}

/** Rows of a table in the order of a cursor column, in batches; fields of subscriptions only. */
export interface StreamRoot extends RootCall {
  readonly kind: "select_stream";
  readonly view: () => TableView;
  readonly description?: string;
}

/** A field of subscriptions that a database answers. */
export type LiveRoot = RootField | StreamRoot;

export type SubscriptionRoot = LiveRoot | RemoteRoot | ActionRoot;

interface RootOptions {
  /** Replaces the default description; `""`: none. */
  readonly description?: string;
}

/** A list of rows: `where`, `order_by`, `limit`, `offset`, `distinct_on`. */
export function selectMany(view: () => TableView, options: RootOptions = {}): RootField {
  return rootCall({ kind: "select_many", view, ...options });
}

/** One row by its primary key, or null. */
export function selectByPk(view: () => TableView, options: RootOptions = {}): RootField {
  return rootCall({ kind: "select_by_pk", view, ...options });
}

/** Aggregates over rows, and the rows. */
export function selectAggregate(view: () => TableView, options: RootOptions = {}): RootField {
  return rootCall({ kind: "select_aggregate", view, ...options });
}

/** A page of rows, for the Relay API. */
export function selectConnection(view: () => TableView): RootField {
  return rootCall({ kind: "select_connection", view });
}

/** The rows of a native query. */
export function selectNative(view: () => TableView, options: RootOptions = {}): RootField {
  return rootCall({ kind: "native_query", view, ...options });
}

/** The rows that a stored procedure answers; a field of queries only. */
export function selectProcedure(view: () => TableView, options: RootOptions = {}): RootField {
  return rootCall({ kind: "stored_procedure", view, ...options });
}

/** The rows that a function gives; of one that gives no set, its row or null. */
export function selectFunction(view: () => TableView, call: TrackedFunction, options: RootOptions = {}): FunctionRoot {
  return rootCall({ kind: "function", view, function: call, ...options });
}

/** Aggregates over the rows that a function gives, and the rows. */
export function selectFunctionAggregate(
  view: () => TableView,
  call: TrackedFunction,
  options: RootOptions = {},
): FunctionRoot {
  return rootCall({ kind: "function_aggregate", view, function: call, ...options });
}

/** Rows in the order of a cursor: `cursor`, `batch_size`, `where`. */
export function streamRows(view: () => TableView, options: RootOptions = {}): StreamRoot {
  return rootCall({ kind: "select_stream", view, ...options });
}

/** A page of the rows that a function gives, for the Relay API. */
export function selectFunctionConnection(view: () => TableView, call: TrackedFunction): RootField {
  return rootCall({ kind: "function_connection", view, function: call });
}

/** Root fields of mutations that write rows of a table. */
export type WriteKind = "insert" | "insert_one" | "update" | "update_by_pk" | "update_many" | "delete" | "delete_by_pk";

export interface WriteRoot extends RootCall {
  readonly kind: WriteKind;
  readonly view: () => TableView;
  readonly description?: string;
  /** Only for requests that may use backend-only permissions. */
  readonly backendOnly: boolean;
}

export type MutationRoot = WriteRoot | FunctionRoot | RemoteRoot | ActionRoot;

/** A field that a remote server answers, or one that holds all of its fields. */
export interface RemoteRoot extends RootCall {
  readonly kind: "remote" | "remote_namespace";
  readonly remote: () => RemoteSchema;
}

/** A field that a remote server answers: the one of that name of its root type. */
export function remoteField(remote: () => RemoteSchema): RemoteRoot {
  return rootCall({ kind: "remote", remote });
}

/** All fields of a root type of a remote server, below a field of their own. */
export function remoteNamespace(remote: () => RemoteSchema): RemoteRoot {
  return rootCall({ kind: "remote_namespace", remote });
}

/**
 * A field that the handler of an action answers (`action`); of an asynchronous action one that asks for a call, and one
 * that tells what became of it.
 */
export interface ActionRoot extends RootCall {
  readonly kind: "action" | "start_action" | "action_result";
  readonly action: () => ActionDefinition;
  /** Of the output types with relationships that the role may follow, by name. */
  readonly outputs: Outputs;
  /** What is joined to objects of the answer, by the names of their types. */
  readonly relationships: Readonly<Record<string, () => RemoteRelationships>>;
}

/** A field that the handler of an action answers. */
export function callAction(
  action: () => ActionDefinition,
  outputs: Outputs = {},
  relationships: ActionRoot["relationships"] = {},
): ActionRoot {
  return rootCall({ kind: "action", action, outputs, relationships });
}

/** Asks for a call of the handler, and answers the id under which its result can be read. */
export function startAction(action: () => ActionDefinition): ActionRoot {
  return rootCall({ kind: "start_action", action, outputs: {}, relationships: {} });
}

/** What became of a call that was asked for, by its id. */
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

/** Inserts rows, with related ones. */
export const insertRows = write("insert");
/** Inserts one row, with related ones. */
export const insertRow = write("insert_one");
/** Updates the rows that meet a condition. */
export const updateRows = write("update");
/** Updates a row by its primary key. */
export const updateByPk = write("update_by_pk");
/** Several updates, one after the other. */
export const updateMany = write("update_many");
/** Deletes the rows that meet a condition. */
export const deleteRows = write("delete");
/** Deletes a row by its primary key. */
export const deleteByPk = write("delete_by_pk");

/** Root fields of one source, below a field of their own (`graphql-api.md` 2.7). */
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

/** The first field of a part in the order of names, and the fields from there up to the next part. */
export type RootPart<Root> = readonly [first: string, fields: () => RootRecord<Root>];

/** Fields in parts, in the order of names: a part is loaded when one of its fields is asked for. */
export class RootParts<Root> {
  readonly parts: readonly RootPart<Root>[];
  /** Those that stand in no part. */
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

  /** All names in their order; a part is loaded when its turn comes. */
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

  /** With some of the fields. */
  map(change: (fields: RootRecord<Root>) => RootRecord<Root>): RootParts<Root> {
    const parts = this.parts.map(([first, fields]): RootPart<Root> => [first, lazy(() => change(fields()))]);
    return new RootParts(parts, change(this.others));
  }
}

export function inParts<Root>(parts: readonly RootPart<Root>[], others: RootRecord<Root> = {}): RootParts<Root> {
  return new RootParts(parts, others);
}

/** Fields of a root type. */
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

/** The tables that a role has some permission on: by source, schema and name. */
export type TablesByName = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, () => TableView>>>>>
>;

/** Everything one role may ask. */
export interface RoleDefinition {
  readonly role: string;
  readonly query: Roots<QueryRoot>;
  readonly subscription: Roots<SubscriptionRoot>;
  readonly mutation: Roots<MutationRoot>;
  /** For the data operations of `/v1/query`, which name tables as the database does. */
  readonly tables: TablesByName;
  /** What a gateway of Apollo federation can ask for; absent: this is no subgraph. */
  readonly entities?: readonly (() => TableView)[];
}

/** @param definition its tables as a function: they stand in a module that is loaded when somebody asks for them */
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

/** A row by its global id: those of these tables. */
export interface NodeRoot extends RootCall {
  readonly kind: "node";
  readonly tables: TablesByName;
}

/** A row of one of these tables by its global id, for the Relay API. @param except by source, schema and name */
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

/** What one role may ask of the Relay API, besides its mutations. */
export interface RelayDefinition {
  readonly query: Roots<RootField | NodeRoot>;
  readonly subscription: Roots<RootField | NodeRoot>;
}

export function defineRelay(definition: RelayDefinition): RelayDefinition {
  return definition;
}
