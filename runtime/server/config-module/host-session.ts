/** Sessions that the configuration's code names: one more kind of credential. */
import type { CredentialCheck } from "../../http/auth/credential-check.ts";
import { namedSession } from "../../http/auth/named-session.ts";
import type { AuthenticatedSession } from "../../ports/authentication.ts";
import type { RequestHeaders } from "../../ports/headers.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import type { EngineConfig } from "../embedding/config.d.mts";
import { callHost, type HostCode, hostFault } from "./host-code.ts";

export function hostSessionCheck(
  session: NonNullable<EngineConfig["session"]>,
  code: HostCode,
  alias: string | null,
): CredentialCheck {
  return async (_headers, { sent, method }) => {
    const headers = headersOf(sent);
    const known: unknown = await callHost(code, "session", (signal) => session({ headers, method, signal }));
    if (known === null || known === undefined) return null;
    const found = sessionOf(known, alias);
    if (typeof found === "string") throw hostFault(code, "session", new Error(found));
    if (found.expiresAt !== undefined && found.expiresAt <= Date.now()) {
      throw new EngineError("access-denied", "$", "the session has ended", { status: 401 });
    }
    return found;
  };
}

/** What is wrong, where the value is no session. */
function sessionOf(known: unknown, alias: string | null): AuthenticatedSession | string {
  if (!isObject(known)) return `it has to return an object with a role, or null, not ${typeName(known)}`;
  const { role, variables = {}, expiresAt } = known;
  if (typeof role !== "string" || role === "") return "role has to be a text that is not empty";
  if (!isObject(variables)) return "variables have to be an object of texts by the names of session variables";
  const wrong = Object.entries(variables).find(([, value]) => typeof value !== "string");
  if (wrong !== undefined) return `the session variable ${wrong[0]} has to be a text, not ${typeName(wrong[1])}`;
  const end = expiresAt instanceof Date ? expiresAt.getTime() : expiresAt;
  if (end !== undefined && !Number.isFinite(end)) return "expiresAt has to be a date, or milliseconds since 1970";
  try {
    const named = namedSession(role, variables as Readonly<Record<string, string>>, alias);
    return { ...named, expiresAt: end as number | undefined };
  } catch (error) {
    if (error instanceof EngineError) return error.message;
    throw error;
  }
}

const typeName = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "a list" : typeof value);

function headersOf(sent: RequestHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(sent)) if (value !== undefined) headers.set(name, value);
  return headers;
}
