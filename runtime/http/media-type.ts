/** Whether a client wants answers as GraphQL over HTTP has them: their media type, statuses and errors (ruling 32). */
import type { RequestHeaders } from "../ports/headers.ts";

export const graphqlResponseType = "application/graphql-response+json";

const graphqlResponse = /graphql-response/i;

/** Clients that do not name the media type, or like plain JSON better, get what they always got. */
export function prefersGraphqlResponse({ accept }: RequestHeaders): boolean {
  // Plain clients, which are most, cost one look.
  if (accept === undefined || !graphqlResponse.test(accept)) return false;
  const wanted = qualityOf(accept, graphqlResponseType) ?? 0;
  return wanted > 0 && wanted >= (qualityOf(accept, "application/json") ?? 0);
}

/** `undefined`: the header does not name the type. */
function qualityOf(accept: string, type: string): number | undefined {
  for (const range of accept.split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    if (name !== type) continue;
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  }
  return undefined;
}
