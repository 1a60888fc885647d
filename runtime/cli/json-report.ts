/** `--json`: prints the output of a command as one JSON object, for programs and coding assistants. */
import { type Command, Option } from "commander";
import type { Json } from "../../compiler/catalog/model.ts";
import { errorCodes } from "../values/error-codes.ts";
import { suggestedName } from "../values/nearest-name.ts";
import type { Problem } from "./problem.ts";
import { problemCodes } from "./problem-codes.ts";
import { formatted, printable, type RecordedOutput } from "./project/output.ts";

/** Commands that run until they are stopped, or print a text for a shell or a person. */
const withoutJson: ReadonlySet<string> = new Set(["start", "console", "dev", "mcp", "psql", "help", "completion"]);

const jsonFlag = "--json";

/** Options with another form of output, or without an end. */
const conflicting = ["output", "format", "reporter", "watch", "mock"];

/** Adds `--json` to the commands below `program` that end and print results. */
export function withJson(program: Command): Command {
  for (const command of program.commands) {
    if (command.commands.length > 0) withJson(command);
    else if (!withoutJson.has(command.name())) command.addOption(jsonOption());
  }
  return program;
}

const jsonOption = (): Option =>
  new Option(jsonFlag, "print results and problems as one JSON object").conflicts(conflicting);

/**
 * Returns the name of the command if the output of its arguments is JSON. Includes names of commands that do not exist,
 * because their error is JSON too.
 */
export function commandWithJson(program: Command, words: readonly string[]): string | undefined {
  const end = words.indexOf("--");
  if (!words.slice(0, end < 0 ? words.length : end).includes(jsonFlag)) return undefined;
  let command = program;
  const names: string[] = [];
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (next === undefined) break;
    command = next;
    names.push(next.name());
  }
  const hasJson = command.commands.length > 0 || command.options.some(({ long }) => long === jsonFlag);
  return hasJson ? names.join(" ") : undefined;
}

/** Returns the text of the report. */
export function jsonReport(command: string, code: number, { result, problems, messages }: RecordedOutput): string {
  const report = {
    format: 1,
    command,
    ok: code === 0,
    exit_code: code,
    result,
    problems: problems.map(problemJson),
    messages,
  };
  return formatted(report as unknown as Json, "json").replace(invisible, escaped);
}

/** Characters that change how a terminal or an editor shows the text around them. They occur in strings only. */
const invisible = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Members of a report, with their meanings for the reference. */
export const reportMembers = {
  format: "version of this form: `1`. Later versions of the engine may add members",
  command: "name of the command",
  ok: "`true` if the exit code is 0",
  exit_code: "exit code of the command",
  result: "result of the command; `null` if it failed before it had one",
  problems: "errors, warnings and notices, in the order of the text output",
  messages: "completed steps and remarks, for people",
} as const;

/** Members of a problem, with their meanings for the reference. */
export const problemMembers = {
  severity: "`error`, `warning` or `notice`",
  code: "a code of the table below, or of [errors](errors.md)",
  message: "the problem, for people; may contain text of a database, a file or another server",
  path: "JSONPath in the metadata, or in the arguments of the metadata API",
  file: "path of the file, as the text output prints it",
  line: "line in the file, counted from 1",
  column: "column in the line, counted from 1",
  object: "name of the inconsistent object",
  caused_by: "name of the inconsistent object whose correction also corrects this one",
  remedy: "how to correct it",
  suggestion: "nearest valid name for a misspelt one",
  command: "command of `engine` that helps to correct it; never from text of a database, a file or another server",
} as const;

type ProblemJson = { readonly [member in keyof typeof problemMembers]?: string | number };

/**
 * Commands come from this program only: messages and hints contain text of databases and other servers, and an assistant
 * may run the command.
 */
function problemJson(problem: Problem): ProblemJson {
  const { severity, code, message, path, location, hint, object, causedBy } = problem;
  const remedy = hint ?? remedyOf(code);
  const command = problem.command ?? commandIn(remedyOf(code) ?? "");
  const suggestion = suggestedName(hint ?? "") ?? suggestedName(message);
  return {
    severity,
    code,
    message: printable(message),
    ...(path !== undefined && { path }),
    ...location,
    ...(object !== undefined && { object }),
    ...(causedBy !== undefined && { caused_by: causedBy }),
    ...(remedy !== undefined && { remedy }),
    ...(suggestion !== undefined && { suggestion }),
    ...(command !== undefined && { command }),
  };
}

const remedies: Readonly<Record<string, { readonly remedy: string }>> = { ...errorCodes, ...problemCodes };

const remedyOf = (code: string): string | undefined =>
  Object.hasOwn(remedies, code) ? remedies[code]?.remedy : undefined;

/** Returns the first command that a text names between backticks. */
const commandIn = (text: string): string | undefined => /`(engine [a-z][^`]*)`/.exec(text)?.[1];
