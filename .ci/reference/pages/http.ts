/** The section "Endpoints" of `docs/reference/http.md`. */
import { endpoints as websocketEndpoints } from "../../../runtime/http/websocket/handshake.ts";
import { endpointTable } from "../endpoints.ts";
import { sectionPage } from "../section.ts";
import { code, optionLink, table } from "../texts.ts";

const intro = `
A disabled endpoint responds with status 404 and \`not-found\`. The option of an endpoint is its group of
${optionLink("enabledApis", "`--enabled-apis`")}, or ${optionLink("enableConsole", "`--enable-console`")}. "every role" includes the
unauthorized role if it is configured; "none" needs no credentials. Every endpoint may also respond with 401 or 400
without valid credentials, 403 to [pages of other origins](#pages-of-other-origins), 408, 413 and 503
([errors](errors.md)). \`HEAD\` is supported wherever \`GET\` is. \`OPTIONS\` responds to preflight requests of browsers.
`;

const headers: readonly (readonly [string, string])[] = [
  ["`X-Engine-Admin-Secret`", "request: the admin secret, which grants the role admin"],
  ["`X-Engine-Role`", "request: the role, for administrators and for tokens with several roles"],
  ["`X-Engine-*`", "request: session variables, for administrators"],
  ["`Authorization`", "request: `Bearer` and a token; or any value for the authentication webhook"],
  ["`X-Request-Id`", "request and response: the id of the request in logs, generated if it is missing"],
  [
    "`Accept`",
    "request: [the form of GraphQL responses](#graphql-over-http), or [event streams](#subscriptions-without-websockets)",
  ],
  ["`Accept-Encoding`", "request: `gzip` compresses the response"],
  ["`Warning`", "response of `/v1/metadata`: notices about a successful operation"],
];

export const httpPage = sectionPage("docs/reference/http.md", "Endpoints", () => {
  const rows = endpointTable.map(({ method, path, enabledBy, access, input, statuses, output }) => [
    `${method === "ANY" ? "any" : code(method)} ${code(path)}`,
    access,
    input,
    statuses.join(", "),
    output,
    enabledBy === null ? "" : code(enabledBy),
  ]);
  const sockets = [...websocketEndpoints.keys()].map(code).join(", ");
  return [
    intro.trim(),
    table(["endpoint", "access", "parameters or body", "status", "response", "option"], rows),
    `WebSockets are accepted at ${sockets},
with the sub-protocol \`graphql-transport-ws\` or \`graphql-ws\`
([live queries](../how-to/live-queries.md)).`,
    table(["header", "use"], headers),
  ].join("\n\n");
});
