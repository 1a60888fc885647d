/** The server of a remote schema, with the headers of its requests. */
import type { WebhookHeader } from "../input-validation.ts";

export interface RemoteServer {
  /** Name of the remote schema. */
  readonly name: string;
  /** May contain environment variables: `https://{{HOST}}/graphql`. */
  readonly url: string;
  readonly headers: readonly WebhookHeader[];
  readonly forwardClientHeaders: boolean;
  readonly timeoutSeconds: number;
  /** Sends all root fields of a request in one upstream request; otherwise each root field is sent separately. */
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
