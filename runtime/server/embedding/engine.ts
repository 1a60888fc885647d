/** Builds an embedded engine from the services of a server. */

import { makeExecutableSchema } from "@graphql-tools/schema";
import {
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNullableType,
  isIntrospectionType,
  isObjectType,
} from "graphql";
import { namedSession } from "../../http/auth/session.ts";
import { type RootCall, runBy } from "../../model/definitions/root-call.ts";
import { reachableTypes } from "../../model/schema/reachable-types.ts";
import type { RoleSchema, SchemaApi } from "../../model/schema/role-schema.ts";
import { printSchema } from "../../model/schema/sdl.ts";
import type { ObjectTypeDef, OutputMeta } from "../../model/schema/types.ts";
import type { AuthenticatedSession } from "../../ports/authentication.ts";
import type { RootFieldService } from "../../ports/root-fields.ts";
import type { RequestServices } from "../../ports/services.ts";
import type { ErrorVisibility } from "../../values/error-body.ts";
import { EngineError, invariant } from "../../values/errors.ts";
import { runToCompletion } from "../../values/interruptible.ts";
import { isObject } from "../../values/is-object.ts";
import type { Session } from "../../values/session.ts";
import type { Engine, EngineContext, EngineHeaders, EngineSchemaOptions } from "./engine.d.mts";
import type { Results } from "./results.ts";
import { authenticationError, type Execution, RootFields, type SchemaScope, setScope } from "./root-fields.ts";

export interface EngineParts {
  readonly services: Pick<RequestServices, "admission" | "authenticator" | "reportBug">;
  readonly rootFields: Readonly<Record<SchemaApi, RootFieldService>>;
  /** Returns the current schema. */
  readonly schemaOf: (user: Pick<Session, "role" | "backendOnly">, api: SchemaApi) => RoleSchema;
  readonly visibility: ErrorVisibility;
  /** Handlers of whole requests. */
  readonly requests: {
    readonly fetch: (request: Request, peer: string) => Promise<Response>;
    readonly listener: Engine["listener"];
    readonly upgrade: Engine["upgrade"];
  };
  /** Prefix of session variables that is accepted as an alias. */
  readonly alias: string | null;
  readonly close: () => Promise<void>;
}

export function engineOf({ services, rootFields, schemaOf, visibility, alias, requests, close }: EngineParts): Engine {
  const engine = Symbol("engine");
  const sessions = new WeakSet<object>();
  const subscriptions = new Set<Results>();
  const runner = new RootFields({
    ...services,
    services: rootFields,
    visibility,
    subscriptions,
    executionOf: (context, scope) => executionOf(context, sessions, engine, scope),
  });
  const own = (session: AuthenticatedSession): AuthenticatedSession => {
    const known = runBy(runner, session);
    sessions.add(known);
    return known;
  };
  return {
    engineSchema(role, { api = "graphql", backendOnly = false }: EngineSchemaOptions = {}) {
      const schema = executableSchema(schemaOf({ role, backendOnly }, api));
      setScope(schema, { engine, role, api });
      return schema;
    },
    session: (role, variables = {}) => own(namedSession(role, variables, alias)),
    async authenticate(headers) {
      try {
        return own(await services.authenticator.authenticate(plainHeaders(headers)));
      } catch (error) {
        throw authenticationError(error, { ...services, visibility });
      }
    },
    fetch: (request, from) => requests.fetch(request, typeof from?.peer === "string" ? from.peer : ""),
    listener: requests.listener,
    upgrade: requests.upgrade,
    async close() {
      for (const results of [...subscriptions]) results.end();
      await close();
    },
  };
}

function plainHeaders(headers: EngineHeaders): Readonly<Record<string, string | undefined>> {
  const entries = isPairs(headers) ? [...headers] : Object.entries(headers);
  return Object.fromEntries(
    entries.map(([name, value]) => [name.toLowerCase(), typeof value === "object" ? value.join(", ") : value]),
  );
}

const isPairs = (headers: EngineHeaders): headers is Iterable<readonly [string, string]> => Symbol.iterator in headers;

/**
 * Returns the session and scope of an execution.
 * @param engine identity of the engine that created the sessions
 * @param scope scope of the executed schema; without one, only the session restricts the operation
 * @throws EngineError `access-denied` unless the context has a session of this engine and role
 */
function executionOf(
  context: unknown,
  sessions: WeakSet<object>,
  engine: symbol,
  scope: SchemaScope | undefined,
): Execution {
  const { session, peer = "", signal }: Partial<EngineContext> = isObject(context) ? context : {};
  if (!isObject(session) || !sessions.has(session) || (scope && scope.engine !== engine)) {
    throw new EngineError("access-denied", "$", "the context of the execution has no session of this engine");
  }
  if (scope && session.role !== scope.role) {
    throw new EngineError(
      "access-denied",
      "$",
      `the schema belongs to role "${scope.role}", but the session has another role`,
    );
  }
  // The set contains only sessions.
  return { api: scope?.api ?? "graphql", session: session as unknown as AuthenticatedSession, peer, signal };
}

// Converts a role's schema to an executable schema: its SDL, with resolvers for its root fields.

/** The engine's directive, in addition to the standard directives. */
const ownDirective = "directive @cached(ttl: Int! = 60, refresh: Boolean! = false) on QUERY\n";

function executableSchema(schema: RoleSchema): GraphQLSchema {
  const { query, mutation, subscription } = schema;
  const executable = makeExecutableSchema({
    typeDefs: `${printSchema(schema)}${ownDirective}`,
    resolvers: {
      ...callsOf(query, (root) => ({ resolve: root })),
      ...(mutation && callsOf(mutation, (root) => ({ resolve: root }))),
      ...(subscription && callsOf(subscription, (root) => ({ resolve: root, subscribe: root.subscribe }))),
    },
    resolverValidationOptions: { requireResolversToMatchSchema: "error" },
  });
  const hidden = new Set(hiddenAtTimes(schema));
  for (const type of nestedTypes(executable)) {
    for (const field of Object.values(type.getFields())) {
      field.resolve = byResponseKey;
      if (hidden.has(`${type.name}.${field.name}`)) field.type = getNullableType(field.type);
    }
  }
  return executable;
}

/**
 * Yields fields that are null where a column permission hides a value. The engine's schema declares them non-null, as
 * its clients expect, but other executors would replace the enclosing object with an error.
 */
function* hiddenAtTimes(schema: RoleSchema): Iterable<string> {
  for (const type of runToCompletion(reachableTypes(schema)).values()) {
    if (type.kind !== "object") continue;
    for (const [name, { meta }] of type.fields()) if (mayBeHidden(meta)) yield `${type.name}.${name}`;
  }
}

function mayBeHidden(meta: OutputMeta): boolean {
  if (meta.kind === "column") return meta.column.visible !== undefined;
  if (meta.kind !== "relationship" || meta.relationship.kind !== "object") return false;
  return meta.relationship.target().visible !== undefined;
}

type Resolver = GraphQLFieldResolver<unknown, unknown>;

function callsOf<R>({ name, fields }: ObjectTypeDef, use: (root: RootCall) => R): Record<string, Record<string, R>> {
  const calls = [...fields()].map(([field, { meta }]) => {
    invariant("root" in meta && meta.root, `${name}.${field} is a root field`);
    return [field, use(meta.root)] as const;
  });
  return { [name]: Object.fromEntries(calls) };
}

/** Resolves nested fields of database results by response key, because the operation may use aliases. */
const byResponseKey: Resolver = (source, _args, _context, { path }) => isObject(source) && source[path.key];

/** Returns all object types except the root types. */
function nestedTypes(schema: GraphQLSchema): readonly GraphQLObjectType[] {
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  return Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter((type) => !roots.has(type) && !isIntrospectionType(type));
}
