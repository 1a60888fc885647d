/** The services of a server → an engine inside another program. */
import { sessionOfVariables } from "../auth/session.ts";
import type { AuthenticatedSession } from "../ports/authentication.ts";
import type { RootFieldService } from "../ports/root-fields.ts";
import type { RequestServices } from "../ports/services.ts";
import type { RoleSchema, SchemaApi } from "../schema/role-schema.ts";
import type { ErrorVisibility } from "../values/error-body.ts";
import { EngineError } from "../values/errors.ts";
import { isObject } from "../values/is-object.ts";
import { type Session, sessionPrefix } from "../values/session.ts";
import type { Engine, EngineContext, EngineHeaders, EngineSchemaOptions } from "./engine.d.mts";
import { executableSchema } from "./executable-schema.ts";
import type { Results } from "./results.ts";
import { type Asking, RootFields } from "./root-fields.ts";

export interface EngineParts {
  readonly services: Pick<RequestServices, "admission" | "authenticator" | "reportBug">;
  readonly rootFields: Readonly<Record<SchemaApi, RootFieldService>>;
  /** That of now. */
  readonly schemaOf: (user: Pick<Session, "role" | "backendOnly">, api: SchemaApi) => RoleSchema;
  readonly visibility: ErrorVisibility;
  readonly close: () => Promise<void>;
}

export function engineOf({ services, rootFields, schemaOf, visibility, close }: EngineParts): Engine {
  const sessions = new WeakSet<object>();
  const subscriptions = new Set<Results>();
  const own = (session: AuthenticatedSession): AuthenticatedSession => {
    sessions.add(session);
    return session;
  };
  const fieldsOf = (api: SchemaApi): RootFields =>
    new RootFields({ ...services, visibility, service: rootFields[api], subscriptions });
  const fields = { graphql: fieldsOf("graphql"), relay: fieldsOf("relay") };
  return {
    engineSchema(role, { api = "graphql", backendOnly = false }: EngineSchemaOptions = {}) {
      const runner = fields[api].runner((context) => askingAs(role, context, sessions));
      return executableSchema(schemaOf({ role, backendOnly }, api), runner);
    },
    session: (role, variables = {}) => own(namedSession(role, variables)),
    authenticate: async (headers) => own(await services.authenticator.authenticate(plainHeaders(headers))),
    async close() {
      for (const results of [...subscriptions]) results.end();
      await close();
    },
  };
}

/** @throws EngineError `bad-request`: a name is none of a session variable */
function namedSession(role: string, variables: Readonly<Record<string, string>>): AuthenticatedSession {
  const foreign = Object.keys(variables).find((name) => !name.toLowerCase().startsWith(sessionPrefix));
  if (foreign !== undefined) {
    const message = `"${foreign}" is no session variable: their names begin with ${sessionPrefix}`;
    throw new EngineError("bad-request", "$", message);
  }
  const others = Object.entries(variables).filter(([name]) => name.toLowerCase() !== roleVariable);
  return sessionOfVariables({ ...Object.fromEntries(others), [roleVariable]: role });
}

const roleVariable = `${sessionPrefix}role`;

function plainHeaders(headers: EngineHeaders): Readonly<Record<string, string | undefined>> {
  const entries = isPairs(headers) ? [...headers] : Object.entries(headers);
  return Object.fromEntries(
    entries.map(([name, value]) => [name.toLowerCase(), typeof value === "object" ? value.join(", ") : value]),
  );
}

const isPairs = (headers: EngineHeaders): headers is Iterable<readonly [string, string]> => Symbol.iterator in headers;

/** @throws EngineError `access-denied` where the context of an execution has no session of the role */
function askingAs(role: string, context: unknown, sessions: WeakSet<object>): Asking {
  const { session, peer = "", signal }: Partial<EngineContext> = isObject(context) ? context : {};
  if (!isObject(session) || !sessions.has(session)) {
    throw new EngineError("access-denied", "$", "the context of the execution has no session of this engine");
  }
  if (session.role !== role) {
    throw new EngineError("access-denied", "$", `the schema is that of role "${role}", the session is of another`);
  }
  // The set holds nothing else.
  return { session: session as unknown as AuthenticatedSession, peer, signal };
}
