/**
 * Runs the root fields of operations of external executors. Each root field runs as one planned statement or in its own
 * transaction.
 */
import { GraphQLError, type GraphQLResolveInfo, type GraphQLSchema } from "graphql";
import type { RootFieldRunner } from "../../model/definitions/root-call.ts";
import type { SchemaApi } from "../../model/schema/role-schema.ts";
import type { AdmissionService } from "../../ports/admission.ts";
import type { AuthenticatedSession } from "../../ports/authentication.ts";
import type { PreparedOperation } from "../../ports/graphql.ts";
import type { RootFieldService } from "../../ports/root-fields.ts";
import type { RequestServices } from "../../ports/services.ts";
import type { AdmittedSession } from "../../values/admitted-session.ts";
import type { Caller } from "../../values/caller.ts";
import { type ErrorVisibility, errorBody, showsInternal } from "../../values/error-body.ts";
import { EngineError, invariant } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { parseDatabaseJson } from "../../values/json/parse.ts";
import { decoded } from "../../values/response-text.ts";
import type { Session } from "../../values/session.ts";
import { callAt } from "../../values/timer.ts";
import { type Outcome, Results } from "./results.ts";
import { rootFieldRequest, wholeRequest } from "./root-field.ts";

export interface RootFieldsParts extends ErrorParts, Pick<RequestServices, "admission"> {
  readonly services: Readonly<Record<SchemaApi, RootFieldService>>;
  /**
   * Returns the session and scope of an execution.
   * @throws EngineError if the context has no valid session for the schema
   */
  readonly executionOf: (context: unknown, scope: SchemaScope | undefined) => Execution;
  /** Running subscriptions. */
  readonly subscriptions: Set<Results>;
}

/** The session and scope of an execution. */
export interface Execution {
  readonly api: SchemaApi;
  readonly session: AuthenticatedSession;
  readonly peer: string;
  readonly signal: Caller | undefined;
}

export class RootFields implements RootFieldRunner {
  readonly #parts: RootFieldsParts;
  readonly #admissions: Readonly<Record<SchemaApi, Admissions>>;

  constructor(parts: RootFieldsParts) {
    this.#parts = parts;
    const { admission, services } = parts;
    this.#admissions = {
      graphql: new Admissions(admission, services.graphql),
      relay: new Admissions(admission, services.relay),
    };
  }

  run(context: unknown, info: GraphQLResolveInfo): Promise<unknown> {
    return this.#execute(context, info, (execution) => this.#run(execution, info));
  }

  subscribe(context: unknown, info: GraphQLResolveInfo): Promise<Results> {
    return this.#execute(context, info, (execution) => this.#subscribe(execution, info));
  }

  async #execute<T>(context: unknown, info: GraphQLResolveInfo, run: (execution: Execution) => Promise<T>): Promise<T> {
    let session: AuthenticatedSession | null = null;
    try {
      const execution = this.#parts.executionOf(context, scopeOf(info.schema));
      session = execution.session;
      return await run(execution);
    } catch (error) {
      throw fieldError(error, session, this.#parts);
    }
  }

  async #run(execution: Execution, info: GraphQLResolveInfo): Promise<unknown> {
    const prepared = await this.#prepare(execution, info);
    invariant(prepared.kind !== "subscription", "executors subscribe to the fields of subscriptions");
    return valueIn(await decoded(await prepared.run(execution.signal)), info);
  }

  async #subscribe(execution: Execution, info: GraphQLResolveInfo): Promise<Results> {
    const { subscriptions } = this.#parts;
    const { expiresAt } = execution.session;
    const prepared = await this.#prepare(execution, info);
    invariant(prepared.kind === "subscription", "executors run the fields of queries and mutations");
    const results: Results = new Results({
      valueOf: (outcome, field) => this.#valueOf(outcome, field),
      onEnd: () => {
        forgetExpiry?.();
        subscriptions.delete(results);
      },
    });
    const forgetExpiry = expiresAt === undefined ? undefined : callAt(expiresAt, () => results.end(sessionExpired()));
    subscriptions.add(results);
    await results.start(prepared);
    return results;
  }

  async #prepare({ api, session, peer }: Execution, info: GraphQLResolveInfo): Promise<PreparedOperation> {
    const admitted = await this.#admissions[api].of(session, peer, info);
    return this.#parts.services[api].prepare(rootFieldRequest(info), admitted);
  }

  #valueOf(outcome: Outcome, info: GraphQLResolveInfo): unknown {
    if ("error" in outcome) throw fieldError(outcome.error, null, this.#parts);
    return valueIn(outcome.data, info);
  }
}

/**
 * Extracts the value of a field.
 * @param data JSON text of `data` with only this field
 */
function valueIn(data: string, { path }: GraphQLResolveInfo): unknown {
  const result = parseDatabaseJson(data);
  invariant(isObject(result), "data is an object");
  return result[path.key];
}

// Admits operations of external executors like requests: once each, regardless of the number of root fields.

type Admitted = AdmittedSession<AuthenticatedSession>;

interface Entry {
  readonly session: AuthenticatedSession;
  readonly operation: GraphQLResolveInfo["operation"];
  readonly admitted: Promise<Admitted>;
}

class Admissions {
  readonly #admission: AdmissionService;
  readonly #rootFields: Pick<RootFieldService, "check">;
  /** Keyed by the variable values object, which executors create for each execution. */
  readonly #entries = new WeakMap<object, Entry>();

  constructor(admission: AdmissionService, rootFields: Pick<RootFieldService, "check">) {
    this.#admission = admission;
    this.#rootFields = rootFields;
  }

  /**
   * Returns the admission of the operation that contains a root field. Rejects with an EngineError if it is refused.
   */
  of(session: AuthenticatedSession, peer: string, info: GraphQLResolveInfo): Promise<Admitted> {
    const { operation, variableValues } = info;
    const known = this.#entries.get(variableValues);
    // An executor may reuse the object for several executions, which must not share an admission.
    if (known?.session === session && known.operation === operation) return known.admitted;
    const admitted = this.#admit(session, peer, info);
    this.#entries.set(variableValues, { session, operation, admitted });
    return admitted;
  }

  async #admit(session: AuthenticatedSession, peer: string, info: GraphQLResolveInfo): Promise<Admitted> {
    if (session.expiresAt !== undefined && session.expiresAt <= Date.now()) throw sessionExpired();
    const admitted = await this.#admission.admit(session, 1, { peer });
    await this.#rootFields.check(wholeRequest(info), admitted);
    return admitted;
  }
}

function sessionExpired(): EngineError {
  return new EngineError("access-denied", "$", "the session has ended");
}

// The engine and role of a schema. Stored in the extensions of the schema, which tools that combine schemas preserve.

export interface SchemaScope {
  /** Unique identity of the engine. */
  readonly engine: symbol;
  readonly role: string;
  readonly api: SchemaApi;
}

const extension = "engineScope";

export function setScope(schema: GraphQLSchema, scope: SchemaScope): void {
  schema.extensions = { ...schema.extensions, [extension]: scope };
}

/** Returns the scope, or `undefined` if no engine created the schema or the schema has lost its extensions. */
function scopeOf({ extensions }: GraphQLSchema): SchemaScope | undefined {
  const scope = extensions[extension];
  return isScope(scope) ? scope : undefined;
}

function isScope(value: unknown): value is SchemaScope & Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false;
  const { engine, role, api } = value;
  return typeof engine === "symbol" && typeof role === "string" && (api === "graphql" || api === "relay");
}

// Converts errors to `GraphQLError`, to which executors add the path.

interface ErrorParts extends Pick<RequestServices, "reportBug"> {
  readonly visibility: ErrorVisibility;
}

/**
 * Returns the error of a root field.
 * @param session `null` if the caller is unknown
 */
function fieldError(thrown: unknown, session: Session | null, parts: ErrorParts): GraphQLError {
  return asGraphqlError(known(thrown, parts), session, parts);
}

/** Returns the error of an unauthenticated request, with the HTTP status in the extension `http`, which servers use. */
export function authenticationError(thrown: unknown, parts: ErrorParts): GraphQLError {
  const error = known(thrown, parts);
  return asGraphqlError(error, null, parts, { http: { status: error.status } });
}

const known = (thrown: unknown, { reportBug }: ErrorParts): EngineError =>
  thrown instanceof EngineError ? thrown : reportBug(thrown, "");

function asGraphqlError(
  error: EngineError,
  session: Session | null,
  { visibility }: ErrorParts,
  more: Readonly<Record<string, unknown>> = {},
): GraphQLError {
  const { error: message, ...extensions } = errorBody(error, showsInternal(visibility, session));
  return new GraphQLError(message, { extensions: { ...extensions, ...more } });
}
