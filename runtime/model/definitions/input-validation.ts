/** Webhooks that validate the arguments of a write before it runs. */

/**
 * A header with its value, which may contain environment variables, or with the environment variable that contains it.
 */
export type WebhookHeader =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly valueFromEnv: string };

export interface InputValidation {
  /** May contain environment variables: `https://{{HOST}}/check`. */
  readonly url: string;
  readonly headers: readonly WebhookHeader[];
  readonly forwardClientHeaders: boolean;
  readonly timeoutSeconds: number;
}

export function validateInput(url: string, options: Partial<Omit<InputValidation, "url">> = {}): InputValidation {
  return { url, headers: [], forwardClientHeaders: false, timeoutSeconds: 10, ...options };
}
