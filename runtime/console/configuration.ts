/** What the server wrote into the page. */
export interface Configuration {
  readonly isAdminSecretSet: boolean;
  readonly serverVersion: string;
  readonly enabledApis: readonly string[];
  /** Lets editors write their style sheets under the content security policy. */
  readonly styleNonce: string;
}

const text = document.getElementById("configuration")?.textContent ?? "{}";

export const configuration: Configuration = JSON.parse(text);
