/** `/v1/graphql` and its explanation. */
import { exchange, send } from "./send.ts";

export interface GraphqlCall {
  readonly query: string;
  readonly variables?: unknown;
  readonly operationName?: string | null;
}

export interface GraphqlAnswer {
  readonly status: number;
  /** As it came. */
  readonly text: string;
  readonly data: unknown;
  readonly errors: readonly GraphqlError[];
  /** From sending to the last byte. */
  readonly milliseconds: number;
  readonly bytes: number;
}

export interface GraphqlError {
  readonly message: string;
  readonly extensions?: { readonly code?: string; readonly path?: string };
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
}

/** @throws ApiError when there is no answer; errors of GraphQL are part of one */
export async function runGraphql(
  call: GraphqlCall,
  headers: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<GraphqlAnswer> {
  const begin = performance.now();
  const answer = await exchange("/v1/graphql", { body: call, headers, exact: true, ...(signal && { signal }) });
  const milliseconds = performance.now() - begin;
  const { data = null, errors = [] } = answer.json as {
    readonly data?: unknown;
    readonly errors?: readonly GraphqlError[];
  };
  const bytes = new TextEncoder().encode(answer.text).length;
  return { status: answer.status, text: answer.text, data, errors, milliseconds, bytes };
}

export interface ExplainedField {
  readonly field: string;
  readonly sql: string | null;
  readonly plan: readonly string[] | null;
}

/** @param user headers that say who would ask */
export async function explain(
  query: GraphqlCall,
  user: Readonly<Record<string, string>>,
): Promise<readonly ExplainedField[]> {
  const answer = await send<readonly ExplainedField[] | Omit<ExplainedField, "field">>("/v1/graphql/explain", {
    body: { query, user, joins: true },
  });
  return "length" in answer ? answer : [{ ...answer, field: "subscription" }];
}
