/** Sessions that a host program creates. */
import type { AuthenticatedSession } from "../../ports/authentication.ts";
import { EngineError } from "../../values/errors.ts";
import { sessionPrefix } from "../../values/session.ts";
import { ownName } from "../../values/session-alias.ts";
import { sessionOfVariables } from "./session.ts";

/**
 * @param variables by name; a role among them is ignored
 * @param alias the alternative prefix
 * @throws EngineError `bad-request` if a name is not a session variable's
 */
export function namedSession(
  role: string,
  variables: Readonly<Record<string, string>>,
  alias: string | null,
): AuthenticatedSession {
  const ownNameOf = (name: string): string => ownName(name.toLowerCase(), alias);
  const foreign = Object.keys(variables).find((name) => !ownNameOf(name).startsWith(sessionPrefix));
  if (foreign !== undefined) {
    const message = `"${foreign}" is not a session variable; their names begin with ${sessionPrefix}`;
    throw new EngineError("bad-request", "$", message);
  }
  const others = Object.entries(variables).filter(([name]) => ownNameOf(name) !== roleVariable);
  const own = others.map(([name, value]) => [ownNameOf(name), value] as const);
  return sessionOfVariables({ ...Object.fromEntries(own), [roleVariable]: role }, alias);
}

const roleVariable = `${sessionPrefix}role`;
