/** The services of a server → an engine inside another program. */
import { namedSession } from "../../http/auth/named-session.ts";
import { runBy } from "../../model/definitions/root-call.ts";
import type { RoleSchema, SchemaApi } from "../../model/schema/role-schema.ts";
import type { AuthenticatedSession } from "../../ports/authentication.ts";
import type { RootFieldService } from "../../ports/root-fields.ts";
import type { RequestServices } from "../../ports/services.ts";
import type { ErrorVisibility } from "../../values/error-body.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import type { Session } from "../../values/session.ts";
import type { Engine, EngineContext, EngineHeaders, EngineSchemaOptions } from "./engine.d.mts";
import { executableSchema } from "./executable-schema.ts";
import { authenticationError } from "./graphql-error.ts";
import type { Results } from "./results.ts";
import { type Asking, RootFields } from "./root-fields.ts";
import { type SchemaScope, setScope } from "./schema-scope.ts";

export interface EngineParts {
  readonly services: Pick<RequestServices, "admission" | "authenticator" | "reportBug">;
  readonly rootFields: Readonly<Record<SchemaApi, RootFieldService>>;
  /** That of now. */
  readonly schemaOf: (user: Pick<Session, "role" | "backendOnly">, api: SchemaApi) => RoleSchema;
  readonly visibility: ErrorVisibility;
  /** What serves whole requests. */
  readonly requests: {
    readonly fetch: (request: Request, peer: string) => Promise<Response>;
    readonly listener: Engine["listener"];
    readonly upgrade: Engine["upgrade"];
  };
  /** Another prefix of session variables that is taken for ours. */
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
    askingOf: (context, scope) => askingOf(context, sessions, engine, scope),
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
 * @param engine the one that made the sessions
 * @param scope of the schema that runs; without one, the session alone says what may be asked
 * @throws EngineError `access-denied` where the context of an execution has no session of the engine and the role
 */
function askingOf(context: unknown, sessions: WeakSet<object>, engine: symbol, scope: SchemaScope | undefined): Asking {
  const { session, peer = "", signal }: Partial<EngineContext> = isObject(context) ? context : {};
  if (!isObject(session) || !sessions.has(session) || (scope && scope.engine !== engine)) {
    throw new EngineError("access-denied", "$", "the context of the execution has no session of this engine");
  }
  if (scope && session.role !== scope.role) {
    throw new EngineError(
      "access-denied",
      "$",
      `the schema is that of role "${scope.role}", the session is of another`,
    );
  }
  // The set holds nothing else.
  return { api: scope?.api ?? "graphql", session: session as unknown as AuthenticatedSession, peer, signal };
}
