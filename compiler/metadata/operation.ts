/**
 * Rows of the registry. A row names an operation, the schema of its arguments, the endpoints that accept it and its
 * effect: `change` computes a new catalog and `read` a response, both pure; handlers in `runtime/control` run `io` and
 * `data`. Decoding a request returns a call, which is a row bound to its typed arguments.
 */

import type { z } from "zod";
import type { DataOperation } from "../../runtime/values/data-operation.ts";
import type { WarningCode } from "../../runtime/values/error-codes.ts";
import type { Analysis } from "../2-analyze/analysis.ts";
import type { ObjectId } from "../2-analyze/object-id.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { decode } from "../catalog/decode-error.ts";
import type { Json, JsonObject, SourceKind } from "../catalog/model.ts";
import { ok, type Result } from "../diagnostics/diagnostic.ts";
import type { CheckStyle } from "./consistency.ts";
import type { Endpoint, Endpoints } from "./endpoint.ts";
import type { Transforms } from "./transforms.ts";

/** Input of an operation besides its arguments. */
export interface State {
  readonly catalog: Catalog;
  /** The current analysis. Inside a `bulk_atomic` its catalog may be older than `catalog`. */
  readonly analysis: Analysis;
  readonly context: Context;
  /** True inside a `bulk_atomic`, whose later operations may restore what one of them drops: its result is checked. */
  readonly isPart?: true;
}

export interface Context {
  readonly resourceVersion: number;
  /** `backend_configs` of the metadata; absent if it has none. */
  readonly backendDefaults?: JsonObject | undefined;
}

/** Position of an operation in its request, for the paths of errors. */
export interface Site {
  readonly endpoint: Endpoint;
  /** Source kind in the operation's name. */
  readonly kind: SourceKind;
  /** Path of errors while the operation runs: `$.args`, `$.args[1].args`. */
  readonly path: string;
  /** Path of the arguments in errors about the form of the request; without `args` on `/v1/query`. */
  readonly argsPath: string;
}

export interface Request<I> extends State, Site {
  readonly input: I;
}

/** Actions of the control plane before the new catalog is analysed or after it is stored. */
export type Effect =
  /** Introspects sources again, because their configuration or their enum tables changed. */
  | { readonly kind: "introspect"; readonly sources: readonly string[] }
  /** Renames a source; its shape and its connections are kept. */
  | { readonly kind: "rename_source"; readonly from: string; readonly to: string }
  /** Deletes the stored invocations of an action. */
  | { readonly kind: "clear_action"; readonly action: string }
  /** Closes the connections of a source and removes the event trigger objects from its database. */
  | { readonly kind: "drop_source"; readonly source: string }
  /** Removes the event trigger objects from the database; the source keeps only its configuration. */
  | { readonly kind: "clear_source"; readonly source: string }
  | {
      readonly kind: "reload";
      readonly sources: readonly string[];
      readonly remoteSchemas: readonly string[];
      readonly recreateEventTriggers: readonly string[];
    };

export interface Warning {
  readonly message: string;
  readonly type: string;
  readonly name: string;
  readonly code: WarningCode;
}

/** Result of a `change`, applied if the analysis of the new catalog passes the check. */
export interface Change {
  readonly catalog: Catalog;
  /** Objects that must be consistent afterwards. */
  readonly targets?: readonly ObjectId[];
  /** Overrides the check style of the row if it depends on the arguments. */
  readonly check?: CheckStyle;
  readonly warnings?: readonly Warning[];
  /** If `false`, any warning fails the operation. */
  readonly allowWarnings?: boolean;
  readonly effects?: readonly Effect[];
  /** Transforms of new objects, whose templates must be valid. */
  readonly transforms?: readonly Transforms[];
  /** Maps an identity in the old analysis to the identity in the new catalog, after a rename. */
  readonly renamed?: (id: ObjectId) => ObjectId;
  /** Returns the response, instead of `{"message": "success"}`. */
  readonly answer?: (after: Analysis) => Json;
  /** Returns a fallback change if the analysis shows that this one cannot be kept, else `undefined`. */
  readonly retry?: (after: Analysis) => Result<Change> | undefined;
}

interface BoundCall {
  /** Name of the row, without the prefix of a source kind. */
  readonly operation: string;
  readonly path: string;
}

export interface ChangeCall extends BoundCall {
  readonly effect: "change";
  readonly check: CheckStyle;
  /** Allowed in a `bulk_atomic`. */
  readonly atomic: boolean;
  apply(state: State): Result<Change>;
}

/** A call that a handler in `runtime/control` runs. Handlers have the names of operations. */
export interface IoCall<N extends string = string, I = unknown> extends BoundCall {
  readonly effect: "io";
  readonly operation: N;
  readonly endpoint: Endpoint;
  /** Source kind in the operation's name. */
  readonly kind: SourceKind;
  /** True if the operation accepts sources of any kind. */
  readonly anyKind?: true;
  readonly input: I;
  /** True if the call may write to the database of a source, which read-only mode refuses. */
  readonly writes?: true;
  /** True if the call may change the schema, and with it the version of the metadata. */
  readonly changesSchema?: true;
}

interface ReadCall extends BoundCall {
  readonly effect: "read";
  read(state: State): Result<Json>;
}

/** Reads or writes rows with the permissions of the caller's role. */
interface DataCall extends BoundCall {
  readonly effect: "data";
  readonly input: DataOperation;
}

export type Call = ChangeCall | ReadCall | IoCall | DataCall;

interface RowOf<I> {
  /** Description of the operation, for the reference: one or two sentences in Markdown. */
  readonly about: string;
  readonly endpoints: Endpoints;
  /** The key `args` is optional. */
  readonly argsOptional?: true;
  /** Source kinds that have the operation, if its name is prefixed. Default: all. */
  readonly kinds?: readonly SourceKind[];
  /** Schema of the arguments; a function of the source kind where defaults or configurations depend on it. */
  readonly input: z.ZodType<I> | ((kind: SourceKind) => z.ZodType<I>);
}

export interface ChangeRow<I> extends RowOf<I> {
  readonly effect: "change";
  readonly check: CheckStyle;
  readonly atomic?: true;
  apply(request: Request<I>): Result<Change>;
}

export interface ReadRow<I> extends RowOf<I> {
  readonly effect: "read";
  read(request: Request<I>): Result<Json>;
}

interface IoRow<I> extends RowOf<I> {
  readonly anyKind?: true;
  /** Computes `writes` of a call. Default: never. */
  writes?(input: I): boolean;
  changesSchema?(input: I, kind: SourceKind): boolean;
}

export interface DataRow<I> extends RowOf<I> {
  readonly effect: "data";
  call(input: I, site: Site): DataCall;
}

type PureCall = Exclude<Call, IoCall>;

/** A named row. The type parameter keeps the type of each call with a handler, so that the registry can list them. */
export interface Operation<C extends Call = PureCall> {
  readonly name: string;
  readonly about: string;
  readonly argsOptional: boolean;
  readonly effect: C["effect"];
  readonly endpoints: Endpoints;
  readonly kinds?: readonly SourceKind[];
  /** Schemas of the arguments, before defaults, by source kind. */
  readonly inputs: Readonly<Record<SourceKind, z.ZodType>>;
  /** Parses the arguments and binds the row to them. Error: `parse-failed`. */
  bind(args: unknown, site: Site): Result<C>;
}

export function operation<I>(name: string, row: ChangeRow<I> | ReadRow<I> | DataRow<I>): Operation {
  return rowOf(name, row.effect, row, (input, site) => callOf(name, row, input, site));
}

/** Builds a row of the registry for an operation that a handler in `runtime/control` runs. */
export function ioOperation<const N extends string, I>(name: N, row: IoRow<I>): Operation<IoCall<N, I>> {
  return rowOf(name, "io", row, (input, { endpoint, kind, path }) => ({
    effect: "io",
    operation: name,
    endpoint,
    kind,
    ...(row.anyKind && { anyKind: true }),
    input,
    path,
    ...(row.writes?.(input) && { writes: true }),
    ...(row.changesSchema?.(input, kind) && { changesSchema: true }),
  }));
}

function rowOf<I, C extends Call>(
  name: string,
  effect: C["effect"],
  row: RowOf<I>,
  call: (input: I, site: Site) => C,
): Operation<C> {
  const { input } = row;
  const schemas: Readonly<Record<SourceKind, z.ZodType<I>>> =
    typeof input === "function"
      ? { postgres: input("postgres"), mssql: input("mssql") }
      : { postgres: input, mssql: input };
  return {
    name,
    about: row.about,
    inputs: schemas,
    argsOptional: row.argsOptional ?? false,
    effect,
    endpoints: row.endpoints,
    ...(row.kinds !== undefined && { kinds: row.kinds }),
    bind(args, site) {
      const decoded = decode(schemas[site.kind], args, site.argsPath);
      return decoded.ok ? ok(call(decoded.value, site)) : decoded;
    },
  };
}

function callOf<I>(name: string, row: ChangeRow<I> | ReadRow<I> | DataRow<I>, input: I, site: Site): PureCall {
  const bound = { operation: name, path: site.path };
  switch (row.effect) {
    case "change": {
      const { check, atomic = false } = row;
      return { ...bound, effect: "change", check, atomic, apply: (state) => row.apply({ ...state, ...site, input }) };
    }
    case "read":
      return { ...bound, effect: "read", read: (state) => row.read({ ...state, ...site, input }) };
    case "data":
      return row.call(input, site);
  }
}
