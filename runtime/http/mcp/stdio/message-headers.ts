/** The headers that repeat parts of a message (basic/transports/streamable-http, "Request Metadata"). */
import { isObject } from "../../../values/is-object.ts";
import { nameMembers, versionKey } from "../revision.ts";

const fixed = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** The result of `initialize`, which requests of earlier revisions do not repeat. */
export interface Initialized {
  /** The negotiated revision; `undefined` before the response. */
  revision: string | undefined;
  /** Name of the client program; `undefined` if it has none. */
  client: string | undefined;
}

/** Returns the name of the client in `initialize`. */
export function clientIn(body: unknown): string | undefined {
  const { params } = isObject(body) ? body : {};
  const { clientInfo } = isObject(params) ? params : {};
  const { name } = isObject(clientInfo) ? clientInfo : {};
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** Returns the headers for a message. */
export function headersFor(body: unknown, { revision, client }: Initialized): Readonly<Record<string, string>> {
  const { method, params } = isObject(body) ? body : {};
  const { _meta, ...others } = isObject(params) ? params : {};
  const declared = isObject(_meta) ? _meta[versionKey] : undefined;
  if (typeof declared !== "string") {
    if (revision === undefined || method === "initialize") return fixed;
    const agent = client === undefined ? {} : { "user-agent": client.replace(/[^\x20-\x7E]/g, "?") };
    return { ...fixed, "mcp-protocol-version": revision, ...agent };
  }
  const name =
    typeof method === "string" && Object.hasOwn(nameMembers, method) ? others[nameMembers[method] ?? ""] : "";
  return {
    ...fixed,
    "mcp-protocol-version": headerValue(declared),
    ...(typeof method === "string" && { "mcp-method": headerValue(method) }),
    ...(typeof name === "string" && name !== "" && { "mcp-name": headerValue(name) }),
  };
}

/** Returns a value in Base64 if it is not plain ASCII, begins or ends with a space, or looks like such a value. */
function headerValue(value: string): string {
  const isPlain = /^[\x21-\x7E](?:[\x20-\x7E]*[\x21-\x7E])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value).toString("base64")}?=`;
}
