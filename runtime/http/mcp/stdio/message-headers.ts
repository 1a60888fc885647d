/** The headers that repeat parts of a message (basic/transports/streamable-http, "Request Metadata"). */
import { isObject } from "../../../values/is-object.ts";
import { nameMembers, versionKey } from "../revision.ts";

const fixed = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/**
 * Returns the headers for a message.
 * @param revision negotiated by `initialize`; `undefined` before
 */
export function headersFor(body: unknown, revision: string | undefined): Readonly<Record<string, string>> {
  const { method, params } = isObject(body) ? body : {};
  const { _meta, ...others } = isObject(params) ? params : {};
  const declared = isObject(_meta) ? _meta[versionKey] : undefined;
  if (typeof declared !== "string") {
    return revision === undefined || method === "initialize" ? fixed : { ...fixed, "mcp-protocol-version": revision };
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
