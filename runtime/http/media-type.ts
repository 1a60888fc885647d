/** Determines the response format that a client prefers according to its `Accept` header. */
import type { RequestHeaders } from "../ports/headers.ts";

export const graphqlResponseType = "application/graphql-response+json";

const graphqlResponse = /graphql-response/i;

/**
 * Returns true if the client accepts `application/graphql-response+json` at least as well as plain JSON. Other clients
 * receive the older form of responses.
 */
export function prefersGraphqlResponse({ accept }: RequestHeaders): boolean {
  // The fast path for most clients.
  if (accept === undefined || !graphqlResponse.test(accept)) return false;
  const quality = qualityOf(accept, graphqlResponseType) ?? 0;
  const json = qualityOf(accept, "application/json") ?? qualityOf(accept, "application/*") ?? qualityOf(accept, "*/*");
  return quality > 0 && quality >= (json ?? 0);
}

const eventStream = "text/event-stream";

/** Returns true if the client prefers an event stream to JSON. */
export function prefersEvents({ accept }: RequestHeaders): boolean {
  if (accept === undefined || !/event-stream/i.test(accept)) return false;
  const others = ["application/json", graphqlResponseType].map((type) => qualityOf(accept, type) ?? 0);
  return (qualityOf(accept, eventStream) ?? 0) > Math.max(...others);
}

/** Returns the quality of a media type; `undefined` if the header does not name the type. */
function qualityOf(accept: string, type: string): number | undefined {
  for (const range of accept.split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    if (name !== type) continue;
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  }
  return undefined;
}
