/** Determines the authentication mode at start-up. */
import { ConfigurationError } from "../../config/configuration-error.ts";
import type { JwtConfig } from "../../config/jwt/jwt-config.ts";
import type { Options } from "../../config/option-table.ts";
import type { Secret } from "../../config/secret.ts";
import type { HookSettings } from "./webhook/hook-call.ts";

export type AuthMode =
  | { readonly kind: "no-auth" }
  | { readonly kind: "admin-secret"; readonly secrets: readonly Secret[]; readonly unauthorizedRole: string | null }
  | {
      readonly kind: "jwt";
      readonly secrets: readonly Secret[];
      readonly configs: readonly JwtConfig[];
      readonly unauthorizedRole: string | null;
    }
  | { readonly kind: "webhook"; readonly secrets: readonly Secret[]; readonly hook: HookSettings };

export type AuthOptions = Pick<
  Options,
  | "adminSecret"
  | "accessKey"
  | "adminSecrets"
  | "unauthorizedRole"
  | "jwtSecret"
  | "jwtSecrets"
  | "authHook"
  | "authHookMode"
  | "authHookSendRequestBody"
>;

const needsSecret =
  "requires --admin-secret (ENGINE_GRAPHQL_ADMIN_SECRET) or  --access-key (ENGINE_GRAPHQL_ACCESS_KEY) to be set";

/**
 * Chooses the mode.
 * @throws ConfigurationError
 */
export function decideAuthMode(options: AuthOptions): AuthMode {
  const secrets = adminSecrets(options);
  const configs = options.jwtSecret === null ? options.jwtSecrets : [options.jwtSecret, ...options.jwtSecrets];
  const { authHook: url, unauthorizedRole } = options;
  if (url !== null && configs.length > 0) {
    refuse("Fatal Error: Both webhook and JWT mode cannot be enabled at the same time");
  }
  if (secrets.length === 0 && url !== null) {
    refuse(`Fatal Error : --auth-hook (ENGINE_GRAPHQL_AUTH_HOOK) ${needsSecret}`);
  }
  if (secrets.length === 0 && configs.length > 0) {
    refuse(`Fatal Error : --jwt-secret (ENGINE_GRAPHQL_JWT_SECRET) ${needsSecret}`);
  }
  if (unauthorizedRole !== null && (secrets.length === 0 || url !== null)) {
    refuse(
      `Fatal Error: --unauthorized-role (ENGINE_GRAPHQL_UNAUTHORIZED_ROLE) ${needsSecret}` +
        " and is not allowed when --auth-hook (ENGINE_GRAPHQL_AUTH_HOOK) is set",
    );
  }
  if (secrets.length === 0) return { kind: "no-auth" };
  if (url !== null) {
    const hook = { url, method: options.authHookMode, sendRequestBody: options.authHookSendRequestBody };
    return { kind: "webhook", secrets, hook };
  }
  if (configs.length > 0) return { kind: "jwt", secrets, configs, unauthorizedRole };
  return { kind: "admin-secret", secrets, unauthorizedRole };
}

/** Returns all non-empty secrets. */
function adminSecrets(options: AuthOptions): readonly Secret[] {
  const main = [options.adminSecret, options.accessKey].find((secret) => secret !== null && secret.reveal() !== "");
  return main === undefined || main === null ? options.adminSecrets : [main, ...options.adminSecrets];
}

function refuse(message: string): never {
  throw new ConfigurationError([{ setting: null, message }]);
}
