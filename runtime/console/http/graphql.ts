/** Client of `/v1/graphql` and `/v1/graphql/explain`. */
import { type Caller, exchange, send } from "./send.ts";

export interface GraphqlCall {
  readonly query: string;
  readonly variables?: unknown;
  readonly operationName?: string | null;
}

export interface GraphqlResponse {
  readonly status: number;
  /** Response body. */
  readonly text: string;
  readonly data: unknown;
  readonly errors: readonly GraphqlError[];
  /** Duration from sending the request to the last byte. */
  readonly milliseconds: number;
  readonly bytes: number;
}

export interface GraphqlError {
  readonly message: string;
  readonly extensions?: { readonly code?: string; readonly path?: string };
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
}

/** @throws ApiError without a response; GraphQL errors are part of the result */
export async function runGraphql(
  call: GraphqlCall,
  { headers, token }: Caller,
  signal?: AbortSignal,
): Promise<GraphqlResponse> {
  const begin = performance.now();
  const response = await exchange("/v1/graphql", {
    body: call,
    headers,
    token,
    exact: true,
    ...(signal && { signal }),
  });
  const milliseconds = performance.now() - begin;
  const { data = null, errors = [] } = response.json as {
    readonly data?: unknown;
    readonly errors?: readonly GraphqlError[];
  };
  const bytes = new TextEncoder().encode(response.text).length;
  return { status: response.status, text: response.text, data, errors, milliseconds, bytes };
}

export interface ExplainedField {
  readonly field: string;
  readonly sql: string | null;
  readonly plan: readonly string[] | null;
}

/** @param user headers with the role and session variables to plan for */
export async function explain(
  query: GraphqlCall,
  user: Readonly<Record<string, string>>,
): Promise<readonly ExplainedField[]> {
  const response = await send<readonly ExplainedField[] | Omit<ExplainedField, "field">>("/v1/graphql/explain", {
    body: { query, user, joins: true },
  });
  return "length" in response ? response : [{ ...response, field: "subscription" }];
}
