/** Webhooks that are asked about the arguments of a write before it runs (`graphql-api.md` 6.5). */

/** The value stands here, where it may name environment variables, or in the environment. */
export type WebhookHeader =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly valueFromEnv: string };

export interface InputValidation {
  /** May name environment variables: `https://{{HOST}}/check`. */
  readonly url: string;
  readonly headers: readonly WebhookHeader[];
  readonly forwardClientHeaders: boolean;
  readonly timeoutSeconds: number;
}

export function validateInput(url: string, options: Partial<Omit<InputValidation, "url">> = {}): InputValidation {
  return { url, headers: [], forwardClientHeaders: false, timeoutSeconds: 10, ...options };
}
