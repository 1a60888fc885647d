/** Creates authenticators from settings, for tests. */

import { parseOptions } from "../../../../../runtime/config/options.ts";
import { startAuthenticator } from "../../../../../runtime/http/auth/authenticate.ts";
import { decideAuthMode } from "../../../../../runtime/http/auth/mode.ts";
import { mcpAudience } from "../../../../../runtime/http/mcp/authorization.ts";
import { createLog } from "../../../../../runtime/observe/logs/log.ts";
import type { AuthenticationContext } from "../../../../../runtime/ports/authentication.ts";
import type { RequestHeaders } from "../../../../../runtime/ports/headers.ts";

export interface TestAuthenticator {
  readonly log: readonly string[];
  /** Returns role, variables and other results of authentication as plain JSON. */
  session(headers: RequestHeaders, context?: AuthenticationContext): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/**
 * Creates an authenticator.
 * @param environment values by name without the common prefix; strings are used verbatim, other values as JSON
 */
export async function testAuthenticator(environment: Readonly<Record<string, unknown>>): Promise<TestAuthenticator> {
  const variables = Object.entries({ ADMIN_SECRET: "top", ...environment }).map(([name, value]) => [
    `ENGINE_GRAPHQL_${name}`,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const options = parseOptions({}, Object.fromEntries(variables));
  const lines: string[] = [];
  const log = createLog(options, { write: (line) => void lines.push(line) });
  const authenticator = await startAuthenticator(decideAuthMode(options), {
    log,
    version: "1.2.3",
    origins: options.corsDomains,
    alias: options.headerAlias,
    outbound: options.outboundAllow,
    mcpAudience: mcpAudience(options),
  });
  return {
    log: lines,
    async session(headers, context) {
      const {
        variables: found,
        clientHeaders: _,
        ...session
      } = await authenticator.authenticate(headers, {
        method: "GET",
        ...context,
      });
      return { ...session, variables: Object.fromEntries(found) };
    },
    close: () => authenticator.close(),
  };
}

/** Creates an authenticator with this JWT secret only. */
export function jwtAuthenticator(
  secret: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, unknown>> = {},
): Promise<TestAuthenticator> {
  return testAuthenticator({ JWT_SECRET: secret, ...environment });
}

export function bearer(token: string, headers: RequestHeaders = {}): RequestHeaders {
  return { authorization: `Bearer ${token}`, ...headers };
}
