/** The error of a server that cannot start. Lists all invalid settings, each with the name that the user wrote. */

export interface ConfigurationProblem {
  /**
   * The invalid flag (`--server-port`), option in code (`serverPort`) or variable (`ENGINE_GRAPHQL_SERVER_PORT`);
   * `null` for a combination of settings.
   */
  readonly setting: string | null;
  readonly message: string;
  /** File and line, if the setting is made in code. */
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

/** Formats a problem. The prefix of environment variables is part of the specified interface. */
function problemText({ setting, message, place }: ConfigurationProblem): string {
  if (place !== undefined) return setting === null ? `${place}: ${message}` : `${place}: ${setting}: ${message}`;
  if (setting === null) return message;
  return setting.startsWith("-")
    ? `option ${setting}: ${message}`
    : `Fatal Error: Environment variable ${setting}: ${message}`;
}
