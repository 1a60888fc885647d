/** Session that the request runs with: from its headers, or from the claims of its token. */
import { computed, signal } from "@preact/signals";
import { configuration } from "../../configuration.ts";
import { type ApiError, asApiError } from "../../http/api-error.ts";
import { type ServerConfig, serverConfig } from "../../http/config-api.ts";
import { role, sentHeaders, sentToken } from "./request-state.ts";
import { decodeToken, sessionAtAny, type TokenSession } from "./token.ts";

/** How the server authenticates requests; `null` until loaded. */
export const config = signal<ServerConfig | null>(null);

/** Reason that the configuration is unknown. Claims are then read from the default namespace. */
export const configProblem = signal<ApiError | null>(null);

let loading: Promise<void> | null = null;

/** Loads the configuration once. Never rejects; the error is in `configProblem`. */
export function loadConfig(): Promise<void> {
  loading ??= serverConfig().then(
    (found) => {
      config.value = found;
      configProblem.value = null;
    },
    (thrown: unknown) => {
      configProblem.value = asApiError(thrown);
      loading = null;
    },
  );
  return loading;
}

const locations = computed(() => {
  const { jwt = null, jwt_secrets: all } = config.value ?? {};
  return all ?? (jwt ? [jwt] : []);
});

/** Namespace in which the server looks for its claims. */
export const claimsNamespaces = computed(() =>
  locations.value.map(({ claims_namespace: name, claims_map: map }) => (map ? "the claims map" : name)),
);

/** @throws Error if the text is not a token, or its claims have no role */
export const sessionIn = (text: string): TokenSession => sessionAtAny(decodeToken(text), locations.value);

/** Sentence about the identity that the request is sent with. */
export const sentence = computed<string>(() => {
  const shownRole = role.value === "" ? "admin" : role.value;
  if (sentToken.value !== null) return tokenSentence(sentToken.value);
  const count = Object.keys(sentHeaders.value).filter((name) => name !== "x-engine-role").length;
  const headers = count === 0 ? "" : ` with ${count === 1 ? "1 header" : `${count} headers`}`;
  if (configuration.isAdminSecretSet) return `Sent as ${shownRole}${headers}, authenticated by the admin secret`;
  return `Sent as ${shownRole}${headers}; the server has no admin secret`;
});

function tokenSentence(text: string): string {
  try {
    const { defaultRole, allowedRoles } = sessionIn(text);
    if (role.value === "") return `Sent with the token as ${defaultRole}, its default role`;
    if (allowedRoles.includes(role.value)) return `Sent with the token as ${role.value}`;
    return `Sent with the token as ${role.value}, which is not among its roles: ${allowedRoles.join(", ")}`;
  } catch {
    return `Sent with the token${role.value === "" ? "" : ` as ${role.value}`}`;
  }
}

/** Returns role and session variables as headers. @throws Error if the claims of the token cannot be read */
export async function sessionVariables(): Promise<Readonly<Record<string, string>>> {
  if (sentToken.value === null) return sentHeaders.value;
  await loadConfig();
  const { variables, defaultRole } = sessionIn(sentToken.value);
  return { ...sentHeaders.value, ...variables, "x-engine-role": role.value === "" ? defaultRole : role.value };
}
