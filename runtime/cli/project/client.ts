/** Calls the metadata API of a server. Errors name the endpoint and the settings to change, and never show the secret. */
import { readFile } from "node:fs/promises";
import { rootCertificates } from "node:tls";
import { Agent, request } from "undici";
import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { adminSecretHeader, roleHeader } from "../../http/auth/headers.ts";
import { EngineError, foreignCode } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { parseWithNumberTexts } from "../../values/json/parse.ts";
import { stringifyJson } from "../../values/json-number.ts";
import type { Settings } from "./settings.ts";

export type ClientSettings = Pick<
  Settings,
  "endpoint" | "adminSecret" | "headers" | "verifyTls" | "certificateAuthority"
>;

/** One operation, of `/v1/metadata` by default. */
interface MetadataCall {
  readonly type: string;
  readonly args: Json;
  readonly version?: 1 | 2;
  /** The version of the metadata that the operation may change; default any. */
  readonly resource_version?: Json;
  readonly endpoint?: "/v2/query";
  /** Receives the server's notices about metadata that is accepted but has no effect, one line each. */
  readonly onNotices?: (lines: readonly string[]) => void;
}

/** Resolves to the body of a successful response. */
export type CallMetadata = (call: MetadataCall) => Promise<Json>;

/** Resolves to the output of `pg_dump` with these options for a source. */
export type DumpSource = (source: string, options: readonly string[]) => Promise<string>;

/**
 * Runs a GraphQL operation with the permissions of a role. Resolves to the member `data` of the response.
 * @throws EngineError with the first error of the response
 */
export type RunOperation = (role: string, query: string) => Promise<Json>;

/** Timeout of a call. It is long, because a server may introspect large databases before it responds. */
const maxWaitMs = 10 * 60 * 1000;

/**
 * Runs `work` with a connection to the server, and closes the connection.
 * @throws EngineError with code, path, message and `internal` of the server's error response; `connection error` if
 * there is no response, or the response is not from an engine
 */
export async function withServer<T>(
  settings: ClientSettings,
  work: (call: CallMetadata, dump: DumpSource, run: RunOperation) => Promise<T>,
): Promise<T> {
  return withAgent(settings, {}, (agent) =>
    work(
      (call) => callServer(settings, agent, call),
      (source, options) => dumpSource(settings, agent, { opts: options, clean_output: true, source }),
      (role, query) => runOperation(settings, agent, role, query),
    ),
  );
}

/**
 * Runs `work` with the connections to the server, and closes them.
 * @param options a `bodyTimeout` of 0 permits responses that last as long as the connection
 * @throws EngineError if the certificate authority cannot be read
 */
export async function withAgent<T>(
  settings: ClientSettings,
  { bodyTimeout = maxWaitMs }: { readonly bodyTimeout?: number },
  work: (agent: Agent) => Promise<T>,
): Promise<T> {
  const ca = await authorities(settings.certificateAuthority);
  const agent = new Agent({
    connect: { rejectUnauthorized: settings.verifyTls, ...(ca !== undefined && { ca }) },
    headersTimeout: maxWaitMs,
    bodyTimeout,
  });
  try {
    return await work(agent);
  } finally {
    await agent.destroy();
  }
}

/** Exports the metadata of a server, with its resource version. */
export async function exportedBy(call: CallMetadata): Promise<{ readonly version: Json; readonly metadata: Json }> {
  const response = await call({ type: "export_metadata", version: 2, args: {} });
  if (!isObject(response)) return { version: null, metadata: null };
  return { version: response.resource_version ?? null, metadata: response.metadata ?? null };
}

async function authorities(file: string | undefined): Promise<string[] | undefined> {
  if (file === undefined) return undefined;
  try {
    return [...rootCertificates, await readFile(file, "utf8")];
  } catch (error) {
    const message = `cannot read the certificate authority ${file}: ${reasonOf(error)}`;
    throw new EngineError("not-found", "$", message, { cause: error });
  }
}

async function callServer(
  settings: ClientSettings,
  agent: Agent,
  { endpoint, onNotices, ...call }: MetadataCall,
): Promise<Json> {
  const response = await send(settings, agent, endpoint ?? "/v1/metadata", call);
  const body = jsonOf(response.text);
  if (response.status === 200 && body !== undefined) {
    onNotices?.(response.notices);
    return body.value;
  }
  throw serverError(settings.endpoint, response.status, body?.value);
}

async function dumpSource(settings: ClientSettings, agent: Agent, request: JsonObject): Promise<string> {
  const { status, text } = await send(settings, agent, "/v1alpha1/pg_dump", request);
  if (status === 200) return text;
  throw serverError(settings.endpoint, status, jsonOf(text)?.value);
}

async function runOperation(settings: ClientSettings, agent: Agent, role: string, query: string): Promise<Json> {
  const { status, text } = await send(settings, agent, "/v1/graphql", { query }, { [roleHeader]: headerText(role) });
  const body = jsonOf(text)?.value;
  if (isObject<Json>(body) && Array.isArray(body.errors)) throw operationError(body.errors[0]);
  if (status === 200 && isObject<Json>(body) && isObject(body.data)) return body.data;
  throw serverError(settings.endpoint, status, body);
}

function operationError(error: Json | undefined): EngineError {
  const { message, extensions } = isObject<Json>(error) ? error : {};
  const { code, path } = isObject<Json>(extensions) ? extensions : {};
  return new EngineError(
    foreignCode(String(code ?? "unexpected")),
    String(path ?? "$"),
    String(message ?? "the operation failed"),
  );
}

async function send(
  settings: ClientSettings,
  agent: Agent,
  path: string,
  request: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<ServerResponse> {
  const response = await post(settings, agent, path, stringifyJson(request), headers);
  const { endpoint } = settings;
  const { status, location } = response;
  if (status >= 300 && status < 400) {
    const target = location === undefined ? "" : ` to ${withoutQuery(location)}`;
    throw connectionError(
      `${endpoint} redirects${target} (${status}): set the address of the server ${endpointSettings}`,
    );
  }
  return response;
}

interface ServerResponse {
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
  readonly notices: readonly string[];
}

async function post(
  { endpoint, adminSecret, headers: given }: ClientSettings,
  agent: Agent,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<ServerResponse> {
  try {
    const response = await request(`${endpoint}${path}`, {
      dispatcher: agent,
      method: "POST",
      headers: {
        ...(adminSecret !== undefined && { [adminSecretHeader]: headerText(adminSecret.reveal()) }),
        ...given,
        ...headers,
        "content-type": "application/json",
      },
      body,
    });
    const { location, warning = [] } = response.headers;
    const notices = [warning].flat().map(noticeOf);
    const text = await response.body.text();
    return {
      status: response.statusCode,
      text,
      location: typeof location === "string" ? location : undefined,
      notices,
    };
  } catch (error) {
    throw connectionError(failureText(endpoint, error), error);
  }
}

/** Returns the text of a `warning` header, `299 engine "text"`, with its `\uXXXX` escapes decoded. */
function noticeOf(value: string): string {
  const text = /^\d+ \S+ "(.*)"$/s.exec(value)?.[1]?.replace(/\\(.)/gs, "$1") ?? value;
  return text.replace(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Encodes UTF-8 with one character per byte, as HTTP headers require. */
function headerText(value: string): string {
  return Buffer.from(value, "utf8").toString("latin1");
}

// ---------------------------------------------------------------- failures

const endpointSettings = 'with --endpoint, ENGINE_GRAPHQL_ENDPOINT or "endpoint" in config.yaml';
const secretSettings = 'with --admin-secret, ENGINE_GRAPHQL_ADMIN_SECRET or "admin_secret" in config.yaml';

/** Codes of failures before the request was sent. */
const unreachable: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function failureText(endpoint: string, error: unknown): string {
  const code = codeOf(error);
  const reason = reasonOf(error);
  if (unreachable.has(code)) {
    return `cannot reach the server at ${endpoint} (${reason}): start it, or set another address ${endpointSettings}`;
  }
  if (/CERT|SIGNATURE|SIGNED/.test(code)) {
    // Later versions of Node append a flag of their own, which this message replaces.
    const cause = reason.replace(/; if the root CA is installed locally.*$/, "");
    return `the certificate of ${endpoint} is not trusted (${cause}): pass its authority with --certificate-authority, or skip the check with --insecure-skip-tls-verify`;
  }
  if (/^(EPROTO|ERR_SSL_)/.test(code)) {
    return `${endpoint} does not support TLS (${code}): for a server without TLS, set an http:// address ${endpointSettings}`;
  }
  if (code === "UND_ERR_INVALID_ARG") return `the admin secret is not a valid header value: set it ${secretSettings}`;
  return `the connection to ${endpoint} was closed before the response (${reason}): a change may have been made; check with \`engine metadata diff\``;
}

function serverError(endpoint: string, status: number, body: Json | undefined): EngineError {
  if (!isErrorBody(body)) {
    return connectionError(
      `the response from ${endpoint} (${status}) is not from an engine: set the address of the server ${endpointSettings}`,
    );
  }
  const { code, error, path, internal } = body;
  const details = { status, ...(internal !== undefined && { internal }) };
  return new EngineError(foreignCode(code), path, `${error}${adviceFor(endpoint, status, code)}`, details);
}

function adviceFor(endpoint: string, status: number, code: string): string {
  if (code === "access-denied") return ` (from ${endpoint}): set the admin secret ${secretSettings}`;
  if (status !== 404) return "";
  return ` (from ${endpoint}): check the address, and that the server's ENGINE_GRAPHQL_ENABLED_APIS includes "metadata"`;
}

type ErrorBody = { readonly code: string; readonly error: string; readonly path: string; readonly internal?: Json };

function isErrorBody(body: Json | undefined): body is ErrorBody {
  if (typeof body !== "object" || body === null || !("error" in body)) return false;
  return [body.code, body.error, body.path].every((value) => typeof value === "string");
}

/** Returns `undefined` for text that is not JSON. */
function jsonOf(text: string): { readonly value: Json } | undefined {
  try {
    return { value: parseWithNumberTexts(text) as Json };
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

function connectionError(message: string, cause?: unknown): EngineError {
  return new EngineError("connection error", "$", message, { cause });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Joins the messages of the errors for each address, since the AggregateError that contains them has no message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(reasonOf).join(", ");
  return error instanceof Error && error.message !== "" ? error.message : codeOf(error);
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, "").replace(/\/\/[^/@]*@/, "//");
}
