/** Client of `/api/rest/…` and of its OpenAPI document. */
import { runOperation } from "./metadata-api.ts";
import { type Caller, exchange, send } from "./send.ts";

/** A schema of OpenAPI 3.0, with the members that the console shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly title?: string;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export interface RestOperation {
  /** Name of the endpoint. */
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses?: Readonly<Record<string, Content & { readonly description?: string }>>;
}

export interface OpenApi {
  readonly info?: { readonly description?: string };
  /** Absent without endpoints. */
  readonly paths?: Readonly<Record<string, Readonly<Record<string, RestOperation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** Returns the document for a role, with errors and required members. @throws ApiError */
export const openApi = (role: string): Promise<OpenApi> =>
  send(`/api/swagger/json?${new URLSearchParams({ form: "full", role })}`, { method: "GET" });

/** Roles that can run a saved operation. */
interface OperationRoles {
  readonly roles: readonly string[];
  /** Roles that can run it only with backend-only permissions. */
  readonly backend_roles: readonly string[];
}

/** @throws ApiError */
export const operationRoles = (collection_name: string, query_name: string): Promise<OperationRoles> =>
  runOperation({ type: "get_saved_operation_roles", args: { collection_name, query_name } });

export const restMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type RestMethod = (typeof restMethods)[number];

export interface RestRequest {
  readonly method: RestMethod;
  /** Path with its query string, such as `/api/rest/books?limit=1`. */
  readonly path: string;
  /** JSON text; `null` for none. */
  readonly body: string | null;
}

export interface RestResponse {
  readonly status: number;
  readonly text: string;
  readonly milliseconds: number;
}

/** Returns the response with any status. @throws ApiError without a response */
export async function callEndpoint(
  { method, path, body }: RestRequest,
  { headers, token }: Caller,
): Promise<RestResponse> {
  const begin = performance.now();
  const { status, text } = await exchange(path, {
    method,
    headers,
    token,
    exact: true,
    ...(body !== null && { bodyText: body }),
  });
  return { status, text, milliseconds: performance.now() - begin };
}
