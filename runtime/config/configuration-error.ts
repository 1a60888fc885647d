/** What keeps the server from starting: every wrong setting at once, each named as the user wrote it. */

export interface ConfigurationProblem {
  /** The flag (`--server-port`), an option in code (`serverPort`) or the variable (`ENGINE_GRAPHQL_SERVER_PORT`) at fault; several settings: null. */
  readonly setting: string | null;
  readonly message: string;
  /** File and line of the code that sets it; absent: it is set elsewhere. */
  readonly place?: string;
}

export class ConfigurationError extends Error {
  readonly problems: readonly ConfigurationProblem[];

  constructor(problems: readonly ConfigurationProblem[]) {
    super(problems.map(problemText).join("\n"));
    this.name = "ConfigurationError";
    this.problems = problems;
  }
}

/** Form of `operations.md` 4; problems that concern several settings bring their own prefix. */
function problemText({ setting, message, place }: ConfigurationProblem): string {
  if (place !== undefined) return setting === null ? `${place}: ${message}` : `${place}: ${setting}: ${message}`;
  if (setting === null) return message;
  return `Fatal Error: ${setting.startsWith("-") ? "Option" : "Environment variable"} ${setting}: ${message}`;
}
