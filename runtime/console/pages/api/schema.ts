/** GraphQL schema of the role that the API page runs operations as. */
import { signal } from "@preact/signals";
import { buildClientSchema, type GraphQLSchema, getIntrospectionQuery, type IntrospectionQuery } from "graphql";
import { asApiError } from "../../http/api-error.ts";
import { runGraphql } from "../../http/graphql.ts";
import { type Caller, ownRequest } from "../../http/send.ts";

/** `null` until loaded, and if it is unavailable. */
export const schema = signal<GraphQLSchema | null>(null);

/** Reason that the schema is unavailable. */
export const schemaProblem = signal<string | null>(null);

let lastRequest = 0;

/** Loads the schema. Never rejects. The response to an outdated request is discarded. */
export async function loadSchema(caller: Caller): Promise<void> {
  lastRequest += 1;
  const number = lastRequest;
  const [found, problem] = await introspect(caller);
  if (number !== lastRequest) return;
  schema.value = found;
  schemaProblem.value = problem;
}

async function introspect({ headers, token }: Caller): Promise<readonly [GraphQLSchema | null, string | null]> {
  try {
    const query = getIntrospectionQuery({ descriptions: true, inputValueDeprecation: true, oneOf: true });
    const { data, errors } = await runGraphql({ query }, { headers: { ...headers, ...ownRequest }, token });
    const [first] = errors;
    if (first) return [null, first.message];
    return [buildClientSchema(data as IntrospectionQuery, { assumeValid: true }), null];
  } catch (thrown) {
    return [null, asApiError(thrown).message];
  }
}
