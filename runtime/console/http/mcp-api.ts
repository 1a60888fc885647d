/** Client of `/mcp`: requests of the Model Context Protocol, revision 2026-07-28, as an assistant sends them. */
import { ApiError } from "./api-error.ts";
import type { ReadingSession } from "./data-api.ts";
import type { JsonObject } from "./metadata-types.ts";
import { exchange } from "./send.ts";

const revision = "2026-07-28";

/** A tool of `tools/list`. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean };
}

export interface McpRequest {
  readonly method: string;
  /** Headers of the request, without those that authenticate it. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/** The result of `tools/call`. */
export interface CallResult {
  readonly resultType?: string;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly inputRequests?: Readonly<Record<string, { readonly params?: { readonly message?: string } }>>;
  readonly requestState?: string;
}

export interface McpResponse {
  readonly status: number;
  readonly body: string;
  readonly milliseconds: number;
  readonly result: CallResult | null;
  /** An error of the protocol or of the server, outside of the results of tools. */
  readonly error: ApiError | null;
}

interface ResponseBody {
  readonly result?: CallResult;
  readonly error?: {
    readonly message?: string;
    readonly code?: number;
    readonly data?: { readonly code?: string; readonly path?: string };
  };
}

const meta = JSON.stringify({
  "io.modelcontextprotocol/protocolVersion": revision,
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
  "io.modelcontextprotocol/clientInfo": { name: "console", version: "1" },
});

let lastId = 0;

/**
 * Returns a request.
 * @param members JSON text of the parameters, by name, which keeps the digits of numbers
 */
function requestOf(method: string, { role, variables }: ReadingSession, members: Readonly<Record<string, string>>) {
  lastId += 1;
  const params = [...Object.entries(members), ["_meta", meta]].map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  const { name } = members;
  return {
    method,
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": revision,
      "mcp-method": method,
      ...(name !== undefined && { "mcp-name": String(JSON.parse(name)) }),
      ...variables,
      "x-engine-role": role,
    },
    body: `{"jsonrpc":"2.0","id":${lastId},"method":${JSON.stringify(method)},"params":{${params.join(",")}}}`,
  };
}

/** The answer of a person to the form of a pending write. */
export interface Confirmation {
  readonly action: "accept" | "decline";
  /** Result that contains the form. */
  readonly pending: CallResult;
}

/** @param values JSON text of the arguments */
export function callRequest(
  tool: string,
  values: string,
  session: ReadingSession,
  confirmation: Confirmation | null,
): McpRequest {
  const members: Record<string, string> = { name: JSON.stringify(tool), arguments: values };
  if (confirmation) {
    const { action, pending } = confirmation;
    const content = action === "accept" ? { content: {} } : {};
    const keys = Object.keys(pending.inputRequests ?? {});
    members.inputResponses = JSON.stringify(Object.fromEntries(keys.map((key) => [key, { action, ...content }])));
    members.requestState = JSON.stringify(pending.requestState ?? null);
  }
  return requestOf("tools/call", session, members);
}

/** Returns the response with any status. @throws ApiError without a response */
export async function sendMcp({ headers, body }: McpRequest): Promise<McpResponse> {
  const begin = performance.now();
  const { status, text, json } = await exchange("/mcp", { headers, bodyText: body, exact: true });
  const milliseconds = performance.now() - begin;
  const { result = null, error = null } = (json ?? {}) as ResponseBody;
  return { status, body: text, milliseconds, result, error: error && errorOf(status, error) };
}

function errorOf(status: number, { message, code, data }: NonNullable<ResponseBody["error"]>): ApiError {
  const text = typeof message === "string" ? message : `The server responded with status ${status}.`;
  return new ApiError(text, {
    status,
    code: data?.code ?? (code === undefined ? null : String(code)),
    path: data?.path ?? null,
  });
}

/** Reason for which the console cannot use `/mcp`. */
export type McpProblem = "disabled" | "secret-refused";

export interface ToolList {
  readonly tools: readonly ListedTool[];
  readonly problem: McpProblem | null;
}

/** Limit of a list, which guards against a server that never returns its last page. */
const maxPages = 100;

/** Returns the tools that a role sees, with those that the server adds. @throws ApiError */
export async function listTools(role: string): Promise<ToolList> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const members = cursor === undefined ? {} : { cursor: JSON.stringify(cursor) };
    const { headers, body } = requestOf("tools/list", { role, variables: {} }, members);
    const { status, json } = await exchange("/mcp", { headers, bodyText: body, raw: true });
    if (status === 404) return { tools, problem: "disabled" };
    const { result, error } = json as ResponseBody & {
      readonly result?: { readonly tools?: readonly ListedTool[]; readonly nextCursor?: string };
    };
    if (status === 403 && error?.data?.code === "access-denied") return { tools, problem: "secret-refused" };
    if (error || !result) throw errorOf(status, error ?? {});
    tools.push(...(result.tools ?? []));
    cursor = result.nextCursor;
    if (cursor === undefined) break;
  }
  return { tools, problem: null };
}
