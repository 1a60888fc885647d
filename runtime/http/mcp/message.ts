/** Reads one JSON-RPC 2.0 message of a client. */
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { parseJsonInSlices } from "../../values/json/parse.ts";
import { isJsonNumber, numberText } from "../../values/json-number.ts";
import { McpError, mcpCodes } from "./mcp-error.ts";

export type Params = Readonly<Record<string, unknown>>;

export interface McpMessage {
  readonly method: string;
  readonly params: Params;
  /** JSON text of the id; `undefined` for a notification. */
  readonly idText: string | undefined;
}

/** Limit in characters. Every response and notification repeats the id. */
const maxIdLength = 256;

/** @throws McpError -32600 */
export function readMessage(body: unknown): McpMessage {
  if (Array.isArray(body)) throw malformed("batches are not supported; send each message in a separate request");
  if (!isObject(body)) throw malformed("expected a JSON object");
  const { jsonrpc, method, id, params = {} } = body;
  if (jsonrpc !== "2.0") throw malformed('expected "jsonrpc": "2.0"');
  if (typeof method !== "string") throw malformed('"method" is not a string; responses of clients are not accepted');
  if (!isObject(params)) throw malformed('"params" is not an object');
  return { method, params, idText: id === undefined ? undefined : readId(id) };
}

/** Returns the value of a body, or a promise of it if the body is long. @throws McpError -32700 */
export function parseMessage(text: string): unknown {
  try {
    const value = parseJsonInSlices(text);
    return value instanceof Promise ? value.catch(refuse) : value;
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof EngineError)) throw error;
  throw new McpError(mcpCodes.parseError, error.message, { status: 400 });
}

function readId(id: unknown): string {
  const text = typeof id === "string" ? JSON.stringify(id) : isJsonNumber(id) ? numberText(id) : undefined;
  if (text === undefined || (typeof id !== "string" && !/^-?\d+$/.test(text))) {
    throw malformed('"id" is neither a string nor an integer');
  }
  if (text.length > maxIdLength) throw malformed(`"id" is longer than ${maxIdLength} characters`);
  return text;
}

const malformed = (message: string): McpError => new McpError(mcpCodes.invalidRequest, message, { status: 400 });
