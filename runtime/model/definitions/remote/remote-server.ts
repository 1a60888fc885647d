/** A server behind a remote schema: where it is, and what is said to it with each request. */
import type { WebhookHeader } from "../input-validation.ts";

export interface RemoteServer {
  /** Of the remote schema. */
  readonly name: string;
  /** May name environment variables: `https://{{HOST}}/graphql`. */
  readonly url: string;
  readonly headers: readonly WebhookHeader[];
  readonly forwardClientHeaders: boolean;
  readonly timeoutSeconds: number;
  /** Several root fields of a request go to it in one request; else each has a request of its own. */
  readonly batchRootFields: boolean;
}

export function remoteServer(
  name: string,
  url: string,
  options: Partial<Omit<RemoteServer, "name" | "url">> = {},
): RemoteServer {
  return {
    name,
    url,
    headers: [],
    forwardClientHeaders: false,
    timeoutSeconds: 60,
    batchRootFields: false,
    ...options,
  };
}
