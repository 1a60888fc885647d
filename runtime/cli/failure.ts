/**
 * Formats the failure of a command in the form of `docs/internals/messages.md`: one line for errors that users can fix,
 * a stack for bugs. Errors in the command line itself have the same form.
 */
import { type Command, CommanderError } from "commander";
import { EmbeddedPostgresError } from "../databases/embedded-postgres/embedded-postgres-error.ts";
import { errorLine, failureMessage, portVariable } from "../server/parts/failure.ts";
import { nearestName } from "../values/nearest-name.ts";
import { InvalidFiles } from "./invalid-files.ts";

export function commandFailure(error: unknown): string {
  if (error instanceof InvalidFiles) return error.message;
  return error instanceof EmbeddedPostgresError || error instanceof CommanderError
    ? errorLine(error.message)
    : failureMessage(error, `--server-port or ${portVariable}`);
}

interface Outcome {
  /** `undefined` after the help or the version, which are printed already. */
  readonly text: string | undefined;
  readonly code: number;
}

/** Returns the error text and the exit code after an exception of a command. */
export function commandOutcome(error: unknown): Outcome {
  const isPrinted = error instanceof CommanderError && /^commander\.(?:help|helpDisplayed|version)$/.test(error.code);
  return isPrinted ? { text: undefined, code: error.exitCode } : { text: commandFailure(error), code: 1 };
}

/** Makes a command and its subcommands throw errors in the command line as `CommanderError`, instead of printing them. */
export function withUsageErrors(command: Command, path: string = command.name()): Command {
  command
    .showSuggestionAfterError(false)
    .configureOutput({ outputError: () => undefined })
    .exitOverride((error) => {
      throw new CommanderError(error.exitCode, error.code, usageText(error.message, command, path));
    });
  for (const each of command.commands) withUsageErrors(each, `${path} ${each.name()}`);
  return command;
}

interface UsageProblem {
  readonly text: string;
  /** The nearest name of a misspelt option or command. */
  readonly near?: string | undefined;
}

type UsageForm = (groups: Readonly<Record<string, string>>, command: Command) => UsageProblem;

/** Texts of the parser, and their form in messages. The value of an option may be a secret, and is not repeated. */
const usageForms: readonly (readonly [pattern: RegExp, form: UsageForm])[] = [
  [
    /^unknown option '(?<flag>-[^'=]*)[\s\S]*'$/,
    ({ flag = "" }, { options }) => {
      const flags = options.flatMap(({ long }) => long ?? []);
      return { text: `unknown option ${flag}`, near: nearestName(flag, flags) };
    },
  ],
  [
    /^unknown command '(?<name>[\s\S]*)'$/,
    ({ name = "" }, { commands }) => {
      const names = commands.flatMap((each) => [each.name(), ...each.aliases()]);
      return { text: `unknown command ${JSON.stringify(name)}`, near: nearestName(name, names) };
    },
  ],
  [/^missing required argument '(?<name>[^']*)'$/, ({ name }) => ({ text: `argument <${name}>: required` })],
  [
    /^(?<required>required )?option '(?:-\w, )?(?<flag>--[\w-]+[^']*)' (?:not specified|argument missing)$/,
    ({ required, flag }) => ({ text: `option ${flag}: ${required === undefined ? "requires a value" : "required"}` }),
  ],
  [
    /^option '(?:-\w, )?(?<flag>--[\w-]+)[^']*' argument '[\s\S]*' is invalid\. Allowed choices are (?<choices>[^']*)\.$/,
    ({ flag, choices }) => ({ text: `option ${flag}: expected one of ${choices}` }),
  ],
  [
    /^command-argument value '[\s\S]*' is invalid for argument '(?<name>[^']*)'\. Allowed choices are (?<choices>[^']*)\.$/,
    ({ name, choices }) => ({ text: `argument <${name}>: expected one of ${choices}` }),
  ],
  [
    /^option '(?:-\w, )?(?<flag>--[\w-]+)[^']*' cannot be used with option '(?:-\w, )?(?<other>--[\w-]+)[^']*'$/,
    ({ flag, other }) => ({ text: `option ${flag}: cannot be used with ${other}` }),
  ],
  [
    /^too many arguments[^.]*\. Expected (?<expected>\d+) arguments? but got (?<found>\d+)\.$/,
    ({ expected, found }) => ({ text: `expected ${expected} arguments, but found ${found}` }),
  ],
];

/** Returns an error of the parser as one sentence that ends with the nearest name, or with the help command. */
function usageText(text: string, command: Command, path: string): string {
  const message = text.replace(/^error: /, "");
  for (const [pattern, form] of usageForms) {
    const match = pattern.exec(message);
    if (match === null) continue;
    const problem = form(match.groups ?? {}, command);
    const hint = problem.near === undefined ? `see \`${path} --help\`` : `did you mean ${problem.near}?`;
    return `${problem.text}; ${hint}`;
  }
  return message;
}
