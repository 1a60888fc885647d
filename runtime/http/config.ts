/** `GET /v1alpha1/config`: the server's options, without secrets. */
import { hasAdminSecret } from "../config/admin-secrets.ts";
import { isConsoleEnabled } from "../config/console-default.ts";
import { describeClaimsLocation } from "../config/jwt/claims-location.ts";
import type { Options } from "../config/option-table.ts";
import type { Handler } from "../ports/request.ts";
import type { Services } from "../ports/services.ts";
import type { ErrorVisibility } from "../values/error-body.ts";
import { adminOnly } from "./admin-only.ts";
import { jsonResponse } from "./responses.ts";

export type ConfigSettings = ErrorVisibility &
  Pick<
    Options,
    | "adminSecret"
    | "accessKey"
    | "adminSecrets"
    | "consoleAssetsDirectory"
    | "consoleColor"
    | "consoleLabel"
    | "devMode"
    | "enableConsole"
    | "serverHost"
    | "authHook"
    | "jwtSecret"
    | "jwtSecrets"
    | "inferFunctionPermissions"
    | "enableRemoteSchemaPermissions"
    | "enableApolloFederation"
    | "experimentalFeatures"
    | "defaultNamingConvention"
    | "enabledApis"
    | "enableAllowlist"
    | "liveQueriesBatchSize"
    | "liveQueriesRefetchMilliseconds"
    | "streamingQueriesBatchSize"
    | "streamingQueriesRefetchMilliseconds"
  > & {
    /** The package version, without a leading `v`. */
    readonly version: string;
  };

export function configHandler(services: Services, settings: ConfigSettings): Handler {
  const body = JSON.stringify(describe(settings));
  return adminOnly(services, settings, (_request, session) =>
    jsonResponse(200, body, { mode: "non-graphql", session, error: null }),
  );
}

function describe(settings: ConfigSettings): unknown {
  const { experimentalFeatures } = settings;
  const jwts = [settings.jwtSecret ?? [], settings.jwtSecrets].flat().map(({ settings: { claims } }) => {
    return describeClaimsLocation(claims);
  });
  return {
    version: `v${settings.version}`,
    is_function_permissions_inferred: settings.inferFunctionPermissions,
    is_remote_schema_permissions_enabled: settings.enableRemoteSchemaPermissions,
    is_admin_secret_set: hasAdminSecret(settings),
    is_auth_hook_set: settings.authHook !== null,
    is_jwt_set: jwts.length > 0,
    jwt: jwts[0] ?? null,
    ...(jwts.length > 1 && { jwt_secrets: jwts }),
    is_allow_list_enabled: settings.enableAllowlist,
    live_queries: polling(settings.liveQueriesBatchSize, settings.liveQueriesRefetchMilliseconds),
    streaming_queries: polling(settings.streamingQueriesBatchSize, settings.streamingQueriesRefetchMilliseconds),
    console_assets_dir: settings.consoleAssetsDirectory,
    is_console_enabled: isConsoleEnabled(settings),
    experimental_features: [...experimentalFeatures],
    is_prometheus_metrics_enabled: settings.enabledApis.has("metrics"),
    default_naming_convention: settings.defaultNamingConvention,
    feature_flags: [],
    is_apollo_federation_enabled: settings.enableApolloFederation || experimentalFeatures.has("apollo_federation"),
  };
}

/** Returns the batch size and the poll interval in seconds. */
function polling(size: number, refetchMilliseconds: number): unknown {
  return { batch_size: size, refetch_delay: refetchMilliseconds / 1000 };
}
