/** What a client likes to get by its `Accept`: forms of GraphQL over HTTP (ruling 32), or an event stream. */
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

const eventStream = "text/event-stream";

/** Clients that take plain answers as well get those. */
export function prefersEvents({ accept }: RequestHeaders): boolean {
  if (accept === undefined || !/event-stream/i.test(accept)) return false;
  const others = ["application/json", graphqlResponseType].map((type) => qualityOf(accept, type) ?? 0);
  return (qualityOf(accept, eventStream) ?? 0) > Math.max(...others);
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
