/** Errors of the Model Context Protocol, outside of the results of tools. */
import { EngineError } from "../../values/errors.ts";
import { stringifyJson } from "../../values/json-number.ts";

/** Codes of JSON-RPC 2.0 and of revision 2026-07-28. */
export const mcpCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

export class McpError extends Error {
  readonly code: number;
  readonly data: unknown;
  /** HTTP status. */
  readonly status: number;

  constructor(code: number, message: string, { data, status = 200 }: { data?: unknown; status?: number } = {}) {
    super(message);
    this.name = "McpError";
    this.code = code;
    this.data = data;
    this.status = status;
  }
}

/** Returns the error for parameters of a method; its status is 200, because the request itself is well-formed. */
export const invalidParams = (message: string, data?: unknown): McpError =>
  new McpError(mcpCodes.invalidParams, message, { data });

/**
 * Renders the response of an error.
 * @param idText JSON text of the id; `undefined` if it could not be read
 */
export function renderMcpError(error: McpError | EngineError, idText: string | undefined): string {
  const body =
    error instanceof EngineError
      ? // Codes of the engine's own errors are HTTP statuses, outside of the range that JSON-RPC reserves.
        { code: error.status, message: error.message, data: { code: error.code, path: error.path } }
      : { code: error.code, message: error.message, ...(error.data !== undefined && { data: error.data }) };
  const id = idText === undefined ? "" : `"id":${idText},`;
  return `{"jsonrpc":"2.0",${id}"error":${stringifyJson(body)}}`;
}
