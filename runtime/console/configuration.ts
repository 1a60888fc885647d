/** What the server wrote into the page. */
export interface Configuration {
  /** `cli`: `engine console` serves the page, and a project's files with it. */
  readonly consoleMode: "server" | "cli";
  readonly isAdminSecretSet: boolean;
  readonly serverVersion: string;
  readonly enabledApis: readonly string[];
  /** Lets editors write their style sheets under the content security policy. */
  readonly styleNonce: string;
}

const text = document.getElementById("configuration")?.textContent ?? "{}";

export const configuration: Configuration = JSON.parse(text);
