/**
 * Prints the output of commands: results to standard output; completed changes and problems to standard error; remarks
 * to standard error if it is a terminal. With `--json`, all of them are recorded for the report (`../json-report.ts`).
 */
import { AsyncLocalStorage } from "node:async_hooks";
import picocolors from "picocolors";
import type { Json } from "../../../compiler/catalog/model.ts";
import { yamlText } from "../../metadata-text/yaml-text.ts";
import { JsonNumber } from "../../values/json-number.ts";
import { type Problem, problemLines } from "../problem.ts";
import { type Format, verboseFlag } from "./choices.ts";

/** The output of functions that both commands and the server use. */
export interface Output {
  /** @param text complete lines, with line breaks */
  result(text: string): void;
  remark(line: string): void;
  done(line: string): void;
  problems(problems: readonly Problem[]): void;
}

/** The output of commands. */
export const printed: Output = { result: printSteps, remark: printRemark, done: printDone, problems: printProblems };

/** The output of a command with `--json`. */
export interface RecordedOutput {
  result: unknown;
  readonly messages: string[];
  readonly problems: Problem[];
}

const recording = new AsyncLocalStorage<RecordedOutput>();

/** Records the output of `work` instead of printing it. */
export async function recorded(work: (output: RecordedOutput) => Promise<void>): Promise<RecordedOutput> {
  const output: RecordedOutput = { result: null, messages: [], problems: [] };
  await recording.run(output, () => work(output));
  return output;
}

/**
 * Returns functions that color text for standard output; they return it unchanged without a terminal, with
 * `--no-color`, and with the environment variable `NO_COLOR`.
 */
export function outputColors({ color }: { readonly color?: boolean }): ReturnType<typeof picocolors.createColors> {
  return picocolors.createColors(process.stdout.isTTY === true && color !== false && !process.env.NO_COLOR);
}

/**
 * Prints the result of a command.
 * @param text complete lines, with line breaks
 * @param value the result with `--json`
 */
export function printResult(text: string, value: unknown): void {
  const output = recording.getStore();
  if (output === undefined) process.stdout.write(text);
  else output.result = value;
}

/** Prints lines about steps of a command, which are messages with `--json`. */
export function printSteps(text: string): void {
  const output = recording.getStore();
  if (output === undefined) process.stdout.write(text);
  else output.messages.push(...text.split("\n").filter((line) => line !== ""));
}

/** Sets the result with `--json`, for commands that print their steps. */
export function recordResult(value: unknown): void {
  const output = recording.getStore();
  if (output !== undefined) output.result = value;
}

/** Adds problems that the printed result already contains to the report of `--json`. */
export function recordProblems(problems: readonly Problem[]): void {
  recording.getStore()?.problems.push(...problems);
}

export function printRemark(line: string): void {
  const output = recording.getStore();
  if (output !== undefined) output.messages.push(printable(line));
  else if (process.stderr.isTTY) process.stderr.write(`${printable(line)}\n`);
}

/** Prints completed changes and counts, even without a terminal, because logs of scripts must show them. */
export function printDone(...lines: readonly string[]): void {
  const output = recording.getStore();
  if (output === undefined) printLines(lines);
  else output.messages.push(...lines.map(printable));
}

/** Prints problems. Folds repeated lines, unless the command runs with `--verbose`. */
export function printProblems(problems: readonly Problem[]): void {
  const output = recording.getStore();
  if (output === undefined) printLines(problemLines(problems));
  else output.problems.push(...problems);
}

/** Prints the text about an exception, which may have several lines. */
export function printFailure(text: string, problems: readonly Problem[]): void {
  const output = recording.getStore();
  if (output === undefined) process.stderr.write(`${text}\n`);
  else output.problems.push(...problems);
}

function printLines(lines: readonly string[]): void {
  if (lines.length > 0) process.stderr.write(`${folded(lines).map(printable).join("\n")}\n`);
}

/** Maximum number of printed lines that differ only in their location. */
const maxUnfolded = 3;

/**
 * Replaces lines that differ only in their location with the first of them and a count.
 * @param lines `file:line:column: text`, or `notice: $.path: text`
 */
export function folded(lines: readonly string[]): readonly string[] {
  if (process.argv.includes(verboseFlag)) return lines;
  const groups = new Map<string, string[]>();
  for (const line of lines) {
    const text = withoutLocation(line);
    const same = groups.get(text);
    if (same === undefined) groups.set(text, [line]);
    else same.push(line);
  }
  return [...groups.values()].flatMap((same) => {
    if (same.length <= maxUnfolded) return same;
    return [`${same[0]} (and at ${same.length - 1} more locations: ${verboseFlag} lists them)`];
  });
}

const withoutLocation = (line: string): string =>
  line.replace(
    /^((?:\s*(?:notice|warning): )?)(?:\$(?:\.\w+|\[\d+\]|\["(?:[^"\\]|\\.)*"\])*|[^:]+:\d+(?::\d+)?): /,
    "$1",
  );

/** Joins lines and escapes control characters, since names and reasons come from servers and databases. */
export function printable(text: string): string {
  const oneLine = text.trim().replace(/\s+/g, (blanks) => (/[\r\n]/.test(blanks) ? " " : blanks));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches the characters to escape
  return oneLine.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => JSON.stringify(character).slice(1, -1));
}

/** Returns JSON or YAML that ends with a line break. */
export function formatted(value: Json, format: Format): string {
  return format === "json" ? `${prettyJson(value, "")}\n` : yamlText(value);
}

/** Prints JSON like `JSON.stringify` with an indentation of two, but preserves all digits of numbers. */
function prettyJson(value: Json | JsonNumber, indentation: string): string {
  if (value instanceof JsonNumber) return value.text;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indentation}  `;
  const isList = Array.isArray(value);
  const members = isList
    ? value.map((item) => prettyJson(item, inner))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => `${JSON.stringify(key)}: ${prettyJson(member, inner)}`);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (members.length === 0) return `${open}${close}`;
  return `${open}\n${members.map((member) => `${inner}${member}`).join(",\n")}\n${indentation}${close}`;
}
