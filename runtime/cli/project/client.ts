/** Calls of a running server's metadata API. Failures say what to do, name the endpoint, and never show the secret. */
import { readFile } from "node:fs/promises";
import { rootCertificates } from "node:tls";
import { Agent, request } from "undici";
import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { adminSecretHeader } from "../../http/auth/headers.ts";
import { EngineError } from "../../values/errors.ts";
import { stringifyJson } from "../../values/json-number.ts";
import { parseAsWritten } from "../../values/parse-json.ts";
import type { Settings } from "./settings.ts";

export type ClientSettings = Pick<Settings, "endpoint" | "adminSecret" | "verifyTls" | "certificateAuthority">;

/** One operation of `/v1/metadata`, unless it is of another endpoint. */
interface MetadataCall {
  readonly type: string;
  readonly args: Json;
  readonly version?: 1 | 2;
  readonly endpoint?: "/v2/query";
  /** Is told what of the metadata the server accepts and does not act on, a line each. */
  readonly onNotices?: (lines: readonly string[]) => void;
}

/** Answers with the body of a success. */
export type CallMetadata = (call: MetadataCall) => Promise<Json>;

/** What `pg_dump` with these options says of a source. */
export type DumpSource = (source: string, options: readonly string[]) => Promise<string>;

/** A server may introspect large databases before it answers. */
const longestWait = 10 * 60 * 1000;

/**
 * Lets `work` call the server, and closes the connection when it is done.
 * @throws EngineError what the server answered with its code, path, message and `internal`; or `connection error` when
 * there is no answer, or none of an engine
 */
export async function withServer<T>(
  settings: ClientSettings,
  work: (call: CallMetadata, dump: DumpSource) => Promise<T>,
): Promise<T> {
  const ca = await authorities(settings.certificateAuthority);
  const agent = new Agent({
    connect: { rejectUnauthorized: settings.verifyTls, ...(ca !== undefined && { ca }) },
    headersTimeout: longestWait,
    bodyTimeout: longestWait,
  });
  try {
    return await work(
      (call) => callServer(settings, agent, call),
      (source, options) => dumpSource(settings, agent, { opts: options, clean_output: true, source }),
    );
  } finally {
    await agent.destroy();
  }
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
  const answer = await ask(settings, agent, endpoint ?? "/v1/metadata", call);
  const body = jsonOf(answer.text);
  if (answer.status === 200 && body !== undefined) {
    onNotices?.(answer.notices);
    return body.value;
  }
  throw serverError(settings.endpoint, answer.status, body?.value);
}

async function dumpSource(settings: ClientSettings, agent: Agent, request: JsonObject): Promise<string> {
  const { status, text } = await ask(settings, agent, "/v1alpha1/pg_dump", request);
  if (status === 200) return text;
  throw serverError(settings.endpoint, status, jsonOf(text)?.value);
}

async function ask(settings: ClientSettings, agent: Agent, path: string, request: object): Promise<Answer> {
  const answer = await post(settings, agent, path, stringifyJson(request));
  const { endpoint } = settings;
  const { status, location } = answer;
  if (status >= 300 && status < 400) {
    const target = location === undefined ? "elsewhere" : `to ${withoutQuery(location)}`;
    throw connectionError(`${endpoint} redirects ${target} (${status}): name the server itself, ${endpointSettings}`);
  }
  return answer;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
  readonly notices: readonly string[];
}

async function post(
  { endpoint, adminSecret }: ClientSettings,
  agent: Agent,
  path: string,
  body: string,
): Promise<Answer> {
  try {
    const response = await request(`${endpoint}${path}`, {
      dispatcher: agent,
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(adminSecret !== undefined && { [adminSecretHeader]: headerText(adminSecret.reveal()) }),
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

/** `299 engine "text"`, with letters as JSON writes them. */
function noticeOf(value: string): string {
  const text = /^\d+ \S+ "(.*)"$/s.exec(value)?.[1]?.replace(/\\(.)/gs, "$1") ?? value;
  return text.replace(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Headers carry one character per byte. */
function headerText(value: string): string {
  return Buffer.from(value, "utf8").toString("latin1");
}

// ---------------------------------------------------------------- failures

const endpointSettings = 'with --endpoint, ENGINE_GRAPHQL_ENDPOINT or "endpoint" in config.yaml';
const secretSettings = 'with --admin-secret, ENGINE_GRAPHQL_ADMIN_SECRET or "admin_secret" in config.yaml';

/** Failures before anything was sent. */
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
    return `cannot reach the server at ${endpoint} (${reason}): start it, or name another one ${endpointSettings}`;
  }
  if (/CERT|SIGNATURE|SIGNED/.test(code)) {
    return `the certificate of ${endpoint} is not trusted (${reason}): name its authority with --certificate-authority, or skip the check with --insecure-skip-tls-verify`;
  }
  if (/^(EPROTO|ERR_SSL_)/.test(code)) {
    return `${endpoint} does not answer with TLS (${code}): if it is a server for http://, say so ${endpointSettings}`;
  }
  if (code === "UND_ERR_INVALID_ARG") return `the admin secret cannot be sent in a header: set it ${secretSettings}`;
  return `the connection to ${endpoint} ended before the answer (${reason}): a change may or may not have been made, see \`engine metadata diff\``;
}

function serverError(endpoint: string, status: number, body: Json | undefined): EngineError {
  if (!isErrorBody(body)) {
    return connectionError(
      `${endpoint} answered ${status}, but not as an engine does: name the server ${endpointSettings}`,
    );
  }
  const { code, error, path, internal } = body;
  const details = { status, ...(internal !== undefined && { internal }) };
  return new EngineError(code, path, `${error}${adviceFor(endpoint, status, code)}`, details);
}

function adviceFor(endpoint: string, status: number, code: string): string {
  if (code === "access-denied") return ` (from ${endpoint}): set the admin secret ${secretSettings}`;
  if (status !== 404) return "";
  return ` (from ${endpoint}): is this the server, and is "metadata" among its ENGINE_GRAPHQL_ENABLED_APIS?`;
}

type ErrorBody = { readonly code: string; readonly error: string; readonly path: string; readonly internal?: Json };

function isErrorBody(body: Json | undefined): body is ErrorBody {
  if (typeof body !== "object" || body === null || !("error" in body)) return false;
  return [body.code, body.error, body.path].every((value) => typeof value === "string");
}

/** `undefined` when the text is no JSON. */
function jsonOf(text: string): { readonly value: Json } | undefined {
  try {
    return { value: parseAsWritten(text) as Json };
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

/** Trying several addresses in vain fails without a message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(reasonOf).join(", ");
  return error instanceof Error && error.message !== "" ? error.message : codeOf(error);
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, "").replace(/\/\/[^/@]*@/, "//");
}
