/** Accepts or rejects the request that opens a WebSocket. */
import type { IncomingHttpHeaders } from "node:http";
import type { Options } from "../../config/option-table.ts";
import type { SchemaApi } from "../../model/schema/role-schema.ts";
import type { RequestHeaders } from "../../ports/headers.ts";
import { renderError, renderGraphqlError, renderGraphqlErrorEntries } from "../../values/error-body.ts";
import { EngineError } from "../../values/errors.ts";
import { hasForeignCookie } from "../auth/foreign-cookie.ts";
import type { PageCheck } from "../auth/foreign-page.ts";
import { relayDisabled } from "../graphql.ts";
import { chooseProtocol, type Protocol } from "./protocol.ts";

export type HandshakeSettings = Pick<
  Options,
  "enabledApis" | "enableRelay" | "disableCors" | "corsDomains" | "wsReadCookie"
>;

export type Handshake =
  | {
      readonly kind: "accepted";
      readonly protocol: Protocol;
      /** Headers for authentication, in addition to the headers in the client's first message. */
      readonly headers: RequestHeaders;
      /** Renders an error as JSON text in the form of the endpoint. */
      readonly renderError: (error: EngineError) => string;
      /** The schema of the connection's operations. */
      readonly api: SchemaApi;
      /** A warning for the log. */
      readonly note: string | null;
    }
  | {
      readonly kind: "rejected";
      readonly error: EngineError;
      /** JSON text. */
      readonly body: string;
    };

interface Endpoint {
  readonly api: SchemaApi;
  /** Renders an error for a message. */
  readonly renderError: (error: EngineError) => string;
  /** Renders an error for the response to a rejected handshake. */
  readonly renderBody: (error: EngineError) => string;
}

const graphqlErrors: Endpoint = {
  api: "graphql",
  renderError: (error) => renderGraphqlErrorEntries(error, false),
  renderBody: (error) => renderGraphqlError(error, false),
};
const plainErrors: Endpoint = {
  api: "graphql",
  renderError: (error) => renderError(error, false),
  renderBody: (error) => renderError(error, false),
};

export const endpoints: ReadonlyMap<string, Endpoint> = new Map([
  ["/v1/graphql", graphqlErrors],
  ["/v1alpha1/graphql", plainErrors],
  ["/v1/relay", { ...graphqlErrors, api: "relay" }],
  ["/v1beta1/relay", { ...graphqlErrors, api: "relay" }],
]);

const uncheckedCookie =
  "cookie is not read when CORS is disabled, because any page could then act for the user; where CORS is enforced " +
  "in front of this server, --ws-read-cookie (ENGINE_GRAPHQL_WS_READ_COOKIE) makes it read the cookie";

const foreignCookie =
  "cookie is not read, because a page of another site may have opened the connection; " +
  "add the origin of the page to --cors-domain (ENGINE_GRAPHQL_CORS_DOMAIN) to allow it";

/** Returns the reason for ignoring the cookie of a handshake; `null` if it is used or absent. */
function cookieNote(headers: RequestHeaders, settings: HandshakeSettings): string | null {
  if (headers.cookie === undefined) return null;
  if (settings.disableCors) return settings.wsReadCookie ? null : uncheckedCookie;
  return hasForeignCookie(headers, "GET", settings.corsDomains) ? foreignCookie : null;
}

/**
 * Reads the handshake of a WebSocket: path, sub-protocol and origin.
 * @param path without the query string
 * @param check refuses connections of foreign pages; `null` if every page is allowed
 */
export function readHandshake(
  path: string,
  headers: IncomingHttpHeaders,
  settings: HandshakeSettings,
  check: PageCheck | null,
): Handshake {
  const endpoint = endpoints.get(path);
  if (endpoint === undefined) {
    const message = "only '/v1/graphql', '/v1alpha1/graphql' and '/v1beta1/relay' are supported on websockets";
    return reject(new EngineError("not-found", "$", message, { status: 404 }), graphqlErrors);
  }
  if (!settings.enabledApis.has("graphql")) {
    return reject(new EngineError("not-found", "$", "resource does not exist", { status: 404 }), plainErrors);
  }
  if (endpoint.api === "relay" && !settings.enableRelay) return reject(relayDisabled(), plainErrors);
  const received = clientHeaders(headers);
  const refusal = check?.("GET", received) ?? null;
  if (refusal !== null) return reject(settings.corsDomains.any ? refusal : unlistedOrigin(), endpoint);
  const note = cookieNote(received, settings);
  return {
    kind: "accepted",
    protocol: chooseProtocol(headers["sec-websocket-protocol"]),
    headers: note === null ? received : { ...received, cookie: undefined },
    renderError: endpoint.renderError,
    api: endpoint.api,
    note,
  };
}

function unlistedOrigin(): EngineError {
  const message = "received origin header does not match configured CORS domains";
  return new EngineError("access-denied", "$", message);
}

function reject(error: EngineError, { renderBody }: Endpoint): Handshake {
  return { kind: "rejected", error, body: renderBody(error) };
}

/** Headers of the handshake itself, and `set-cookie`, the only header that `node:http` presents as a list. */
const ownHeaders: ReadonlySet<string> = new Set([
  "sec-websocket-key",
  "sec-websocket-version",
  "upgrade",
  "connection",
  "set-cookie",
]);

function clientHeaders(headers: IncomingHttpHeaders): RequestHeaders {
  const received = Object.entries(headers).filter(([name]) => !ownHeaders.has(name));
  return Object.fromEntries(received) as RequestHeaders;
}
