/** The GraphQL schema of the role that is tried, for completion and errors in the editor. */
import { signal } from "@preact/signals";
import { buildClientSchema, type GraphQLSchema, getIntrospectionQuery, type IntrospectionQuery } from "graphql";
import { asApiError } from "../../http/api-error.ts";
import { runGraphql } from "../../http/graphql.ts";

export const schema = signal<GraphQLSchema | null>(null);
/** Why there is none. */
export const schemaProblem = signal<string | null>(null);

let asked = 0;

/** Never rejects. An answer that comes after a later question is left out. */
export async function loadSchema(headers: Readonly<Record<string, string>>): Promise<void> {
  asked += 1;
  const own = asked;
  const [found, problem] = await introspect(headers);
  if (own !== asked) return;
  schema.value = found;
  schemaProblem.value = problem;
}

async function introspect(
  headers: Readonly<Record<string, string>>,
): Promise<readonly [GraphQLSchema | null, string | null]> {
  try {
    const query = getIntrospectionQuery({ descriptions: true, inputValueDeprecation: true });
    const { data, errors } = await runGraphql({ query }, headers);
    const [first] = errors;
    if (first) return [null, first.message];
    return [buildClientSchema(data as IntrospectionQuery, { assumeValid: true }), null];
  } catch (thrown) {
    return [null, asApiError(thrown).message];
  }
}
