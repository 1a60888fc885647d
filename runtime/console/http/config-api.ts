/** Client of `/v1alpha1/config`. */
import { ApiError, errorOf } from "./api-error.ts";
import { exchange } from "./send.ts";

/** Location of the engine's claims in tokens. */
export interface ClaimsLocation {
  /** Member of the payload, or its path if the text begins with `$`. */
  readonly claims_namespace: string;
  readonly claims_format: string;
  /** Values, or objects with a path and an optional default, by the name of the session variable. */
  readonly claims_map: Readonly<Record<string, unknown>> | null;
}

export interface ServerConfig {
  readonly is_jwt_set: boolean;
  readonly is_auth_hook_set: boolean;
  /** Location for the first JWT secret. */
  readonly jwt: ClaimsLocation | null;
  /** Locations for all JWT secrets, if there are several. */
  readonly jwt_secrets?: readonly ClaimsLocation[];
}

/** @throws ApiError, also if the server has disabled this API */
export async function serverConfig(): Promise<ServerConfig> {
  const { status, json } = await exchange("/v1alpha1/config", { method: "GET" });
  if (status === 404) throw new ApiError("The API `config` of the server is disabled.", { status });
  if (status !== 200) throw errorOf(status, json);
  return json as ServerConfig;
}
