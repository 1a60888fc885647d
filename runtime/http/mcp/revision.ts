/**
 * Determines the revision of the protocol for a message. Since revision 2026-07-28, each request declares its revision
 * and the client's capabilities, and repeats its method and name in headers. Earlier revisions begin with `initialize`.
 */
import type { RequestHeaders } from "../../ports/headers.ts";
import { escapeHiddenCharacters } from "../../values/direction-controls.ts";
import { isObject } from "../../values/is-object.ts";
import { quoted } from "../../values/quoted.ts";
import { McpError, mcpCodes } from "./mcp-error.ts";
import type { McpMessage } from "./message.ts";

const modernRevision = "2026-07-28";
/** The newest one first. */
export const earlierRevisions = ["2025-11-25", "2025-06-18"] as const;
export const supportedRevisions: readonly string[] = [modernRevision, ...earlierRevisions];

export interface Dialect {
  readonly isModern: boolean;
  /** True if the client can show a form to a person. */
  readonly elicits: boolean;
  /** Name that the client reports, or its `User-Agent`: requests of earlier revisions have no name. Empty without both. */
  readonly client: string;
}

const metaPrefix = "io.modelcontextprotocol/";
/** Member of `_meta` that declares the revision of a request. */
export const versionKey = `${metaPrefix}protocolVersion`;
const capabilitiesKey = `${metaPrefix}clientCapabilities`;
const clientKey = `${metaPrefix}clientInfo`;
const maxClientLength = 100;

/** @throws McpError -32020, -32022 or -32602 */
export function dialectOf(message: McpMessage, headers: RequestHeaders): Dialect {
  const { _meta } = message.params;
  const meta = isObject(_meta) ? _meta : {};
  const declared = meta[versionKey];
  const header = headers["mcp-protocol-version"];
  if (typeof declared === "string") return modernDialect(message, meta, headers);
  if (message.method === "initialize") return earlier(message.params.clientInfo, headers);
  if (header === modernRevision) {
    if (message.idText === undefined) return { isModern: true, elicits: false, client: clientName(undefined, headers) };
    throw missingMeta("protocolVersion");
  }
  // Clients of the earliest revision with this transport send no header.
  if (header !== undefined && !supportedRevisions.includes(header)) throw unsupported(header);
  return earlier(undefined, headers);
}

const earlier = (clientInfo: unknown, headers: RequestHeaders): Dialect => ({
  isModern: false,
  elicits: false,
  client: clientName(clientInfo, headers),
});

function modernDialect(message: McpMessage, meta: Readonly<Record<string, unknown>>, headers: RequestHeaders): Dialect {
  const version = String(meta[versionKey]);
  if (message.idText !== undefined) compare("MCP-Protocol-Version", headers["mcp-protocol-version"], version);
  if (version !== modernRevision) throw unsupported(version);
  if (message.idText !== undefined) {
    compare("Mcp-Method", headers["mcp-method"], message.method);
    const name = nameOf(message);
    if (name !== undefined) compare("Mcp-Name", decoded(headers["mcp-name"]), name);
  }
  const capabilities = meta[capabilitiesKey];
  if (!isObject(capabilities)) throw missingMeta("clientCapabilities");
  return {
    isModern: true,
    elicits: showsForms(capabilities.elicitation),
    client: clientName(meta[clientKey], headers),
  };
}

/** An empty object means the mode `form` (client/elicitation, "Capabilities"). */
function showsForms(elicitation: unknown): boolean {
  return isObject(elicitation) && (elicitation.form !== undefined || Object.keys(elicitation).length === 0);
}

/** Both names are chosen by the client. Hidden characters could disguise one in a log. */
function clientName(info: unknown, headers: RequestHeaders): string {
  const name = isObject(info) && typeof info.name === "string" && info.name !== "" ? info.name : headers["user-agent"];
  return escapeHiddenCharacters((name ?? "").slice(0, maxClientLength));
}

/** Members of parameters that the header `Mcp-Name` repeats, by method. */
export const nameMembers: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** Returns the value that the header `Mcp-Name` repeats; `undefined` if the method has none or the body lacks it. */
function nameOf({ method, params }: McpMessage): string | undefined {
  const member = Object.hasOwn(nameMembers, method) ? nameMembers[method] : undefined;
  const name = member === undefined ? undefined : params[member];
  return typeof name === "string" ? name : undefined;
}

const encoded = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;

/** Decodes a header value that is encoded as Base64; other values are returned unchanged. */
function decoded(value: string | undefined): string | undefined {
  const [, base64] = encoded.exec(value ?? "") ?? [];
  return base64 === undefined ? value : Buffer.from(base64, "base64").toString("utf8");
}

const maxShownLength = 200;

function compare(name: string, header: string | undefined, body: string): void {
  if (header === body) return;
  const found = header === undefined ? "is missing" : `is ${quoted(header.slice(0, maxShownLength))}`;
  const message = `the header ${name} ${found}, but the body contains ${quoted(body.slice(0, maxShownLength))}`;
  throw new McpError(mcpCodes.headerMismatch, message, { status: 400 });
}

function unsupported(requested: string): McpError {
  const data = { supported: supportedRevisions, requested: requested.slice(0, maxShownLength) };
  return new McpError(mcpCodes.unsupportedVersion, "unsupported protocol version", { data, status: 400 });
}

function missingMeta(name: string): McpError {
  const message = `"params._meta" lacks "${metaPrefix}${name}"`;
  return new McpError(mcpCodes.invalidParams, message, { status: 400 });
}
