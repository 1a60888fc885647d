/** Configuration that the server embeds in the page. */
export interface Configuration {
  /** `cli` if `engine console` serves the page and gives access to project files. */
  readonly consoleMode: "server" | "cli";
  readonly isAdminSecretSet: boolean;
  readonly serverVersion: string;
  readonly enabledApis: readonly string[];
  /** Name of the environment (`--console-label`); `null` for none. */
  readonly label: string | null;
  /** Name of the label's color (`--console-color`). */
  readonly color: string;
  /** Address of the server of the project; `null` if the server itself serves the page. */
  readonly projectServer: string | null;
  /** Content security policy nonce for the style sheets that editors inject. */
  readonly styleNonce: string;
}

const text = document.getElementById("configuration")?.textContent ?? "{}";

export const configuration: Configuration = JSON.parse(text);
