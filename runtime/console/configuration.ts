/** Configuration that the server embeds in the page. */
export interface Configuration {
  /** `cli` if `engine console` serves the page and gives access to project files. */
  readonly consoleMode: "server" | "cli";
  readonly isAdminSecretSet: boolean;
  readonly serverVersion: string;
  readonly enabledApis: readonly string[];
  /** Content security policy nonce for the style sheets that editors inject. */
  readonly styleNonce: string;
}

const text = document.getElementById("configuration")?.textContent ?? "{}";

export const configuration: Configuration = JSON.parse(text);
