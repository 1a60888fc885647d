/**
 * What a row of the registry is. A row names an operation, the schema of its arguments, where it may be posted, and
 * what it does: `change` computes another Catalog, `read` an answer, both pure; `io` is carried out by
 * `runtime/control`. Decoding a request gives a call in which the row is bound to its typed arguments.
 */

import type { z } from "zod";
import type { DataOperation } from "../../runtime/values/data-operation.ts";
import type { Analysis } from "../2-analyze/analysis.ts";
import type { ObjectId } from "../2-analyze/object-id.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { decode } from "../catalog/decode-error.ts";
import type { Json, JsonObject, SourceKind } from "../catalog/model.ts";
import { ok, type Result } from "../diagnostics/diagnostic.ts";
import type { CheckStyle } from "./consistency.ts";
import type { Endpoint, Endpoints } from "./endpoint.ts";
import type { IoCall } from "./io.ts";
import type { Transforms } from "./transforms.ts";

/** What an operation may look at. */
export interface State {
  readonly catalog: Catalog;
  /** The analysis that is being served; its catalog may be older than `catalog` inside `bulk_atomic`. */
  readonly analysis: Analysis;
  readonly context: Context;
}

export interface Context {
  /** The version of the stored metadata. */
  readonly resourceVersion: number;
  /** Of `backend_configs`; absent: none. */
  readonly backendDefaults?: JsonObject | undefined;
}

/** Where a request stands, for the paths of its errors. */
export interface Site {
  readonly endpoint: Endpoint;
  /** The kind of source that the operation's name stands for. */
  readonly kind: SourceKind;
  /** Path of errors that happen while the operation runs: `$.args`, `$.args[1].args`. */
  readonly path: string;
  /** Path of the arguments in errors about their form: `/v1/query` leaves `args` out of it. */
  readonly argsPath: string;
}

export interface Request<I> extends State, Site {
  readonly input: I;
}

/** What the control plane does before it analyses the new catalog or after it stored it, besides storing. */
export type Effect =
  /** The configuration is new or another one, or its enum tables are: read the Shape again. */
  | { readonly kind: "introspect"; readonly sources: readonly string[] }
  /** The same database under another name: its Shape and its connections move along. */
  | { readonly kind: "rename_source"; readonly from: string; readonly to: string }
  /** What became of its calls is forgotten. */
  | { readonly kind: "clear_action"; readonly action: string }
  /** Close its connections, remove what event triggers left in the database. */
  | { readonly kind: "drop_source"; readonly source: string }
  /** It stays with its configuration alone: remove what event triggers left in the database. */
  | { readonly kind: "clear_source"; readonly source: string }
  | {
      readonly kind: "reload";
      readonly sources: readonly string[];
      readonly remoteSchemas: readonly string[];
      readonly recreateEventTriggers: readonly string[];
    };

/** Part of an answer (`metadata-api.md` 1.6). */
export interface Warning {
  readonly message: string;
  readonly type: string;
  readonly name: string;
  readonly code:
    | "illegal-event-trigger-name"
    | "time-limit-exceeded-system-limit"
    | "source-cleanup-failed"
    | "event-trigger-mismatch"
    | "track-table-failed"
    | "untrack-table-failed";
}

/** What a `change` computed. It is applied when the analysis of the new catalog passes the check. */
export interface Change {
  readonly catalog: Catalog;
  /** The objects that have to be consistent afterwards (`metadata-api.md` 7, "target check"). */
  readonly targets?: readonly ObjectId[];
  /** Replaces the style of the row, where it depends on the arguments. */
  readonly check?: CheckStyle;
  readonly warnings?: readonly Warning[];
  /** `false`: any warning fails the operation. */
  readonly allowWarnings?: boolean;
  readonly effects?: readonly Effect[];
  /** Templates of a new object, which have to be readable. */
  readonly transforms?: Transforms;
  /** The identity that an object of the old analysis has in the new catalog, after a renaming. */
  readonly renamed?: (id: ObjectId) => ObjectId;
  /** The answer instead of `{"message": "success"}`. */
  readonly answer?: (after: Analysis) => Json;
  /** Another change to be tried instead, when the analysis shows that this one cannot be kept as it is. */
  readonly retry?: (after: Analysis) => Result<Change> | undefined;
}

interface BoundCall {
  /** The name of the row, without the prefix of a kind of database. */
  readonly operation: string;
  readonly path: string;
}

export interface ChangeCall extends BoundCall {
  readonly effect: "change";
  readonly check: CheckStyle;
  /** May stand in a `bulk_atomic`. */
  readonly atomic: boolean;
  apply(state: State): Result<Change>;
}

interface ReadCall extends BoundCall {
  readonly effect: "read";
  read(state: State): Result<Json>;
}

/** Reads or writes rows with the permissions of whoever asks. */
interface DataCall extends BoundCall {
  readonly effect: "data";
  readonly input: DataOperation;
}

export type Call = ChangeCall | ReadCall | IoCall | DataCall;

interface RowOf<I> {
  readonly endpoints: Endpoints;
  /** The key `args` may be missing. */
  readonly argsOptional?: true;
  /** The kinds of source it exists for, where its name has a prefix; all unless given. */
  readonly kinds?: readonly SourceKind[];
  /** The schema of the arguments; default schemas and configurations depend on the kind of source. */
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

export interface IoRow<I> extends RowOf<I> {
  readonly effect: "io";
  call(input: I, site: Site): IoCall;
}

export interface DataRow<I> extends RowOf<I> {
  readonly effect: "data";
  call(input: I, site: Site): DataCall;
}

export interface Operation {
  readonly name: string;
  readonly argsOptional: boolean;
  readonly effect: "change" | "read" | "io" | "data";
  readonly endpoints: Endpoints;
  readonly kinds?: readonly SourceKind[];
  /** Parses the arguments and binds the row to them. Error: `parse-failed`. */
  bind(args: unknown, site: Site): Result<Call>;
}

/** A row of the registry. */
export function operation<I>(name: string, row: ChangeRow<I> | ReadRow<I> | IoRow<I> | DataRow<I>): Operation {
  const { input } = row;
  const schemas: Readonly<Record<SourceKind, z.ZodType<I>>> =
    typeof input === "function"
      ? { postgres: input("postgres"), mssql: input("mssql") }
      : { postgres: input, mssql: input };
  return {
    name,
    argsOptional: row.argsOptional ?? false,
    effect: row.effect,
    endpoints: row.endpoints,
    ...(row.kinds !== undefined && { kinds: row.kinds }),
    bind(args, site) {
      const decoded = decode(schemas[site.kind], args, site.argsPath);
      return decoded.ok ? ok(callOf(name, row, decoded.value, site)) : decoded;
    },
  };
}

function callOf<I>(name: string, row: ChangeRow<I> | ReadRow<I> | IoRow<I> | DataRow<I>, input: I, site: Site): Call {
  const bound = { operation: name, path: site.path };
  switch (row.effect) {
    case "change": {
      const { check, atomic = false } = row;
      return { ...bound, effect: "change", check, atomic, apply: (state) => row.apply({ ...state, ...site, input }) };
    }
    case "read":
      return { ...bound, effect: "read", read: (state) => row.read({ ...state, ...site, input }) };
    case "io":
    case "data":
      return row.call(input, site);
  }
}
