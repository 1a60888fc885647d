/**
 * What commands print. Results go to standard output, whatever it is; what was done and problems go to standard error;
 * so do remarks for a person, but only when that is a terminal.
 */
import type { Json } from "../../../compiler/catalog/model.ts";
import { JsonNumber } from "../../values/json-number.ts";
import { yamlText } from "../metadata-directory/yaml-text.ts";
import { type Format, verboseFlag } from "./choices.ts";

/** Where a command that several programs share tells what it does. */
export interface Output {
  /** Whole lines, each with its end. */
  result(text: string): void;
  remark(line: string): void;
  problems(lines: readonly string[]): void;
}

/** What a person or a script reads. */
export const printed: Output = { result: printResult, remark: printRemark, problems: printProblems };

export function printResult(text: string): void {
  process.stdout.write(text);
}

export function printRemark(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${printable(line)}\n`);
}

/** A change has been made: logs of scripts have to show that, too. */
export function printDone(line: string): void {
  printProblems([line]);
}

/** Repeated lines are folded, unless the command runs with `--verbose`. */
export function printProblems(lines: readonly string[]): void {
  if (lines.length > 0) process.stderr.write(`${folded(lines).map(printable).join("\n")}\n`);
}

/** Lines that differ only in their place are printed up to this often. */
const unfolded = 3;

/**
 * Replaces lines that differ only in their place by the first of them and a count.
 * @param lines `file:line:column: text`, or `notice: $.path: text`
 */
export function folded(lines: readonly string[]): readonly string[] {
  if (process.argv.includes(verboseFlag)) return lines;
  const groups = new Map<string, string[]>();
  for (const line of lines) {
    const text = withoutPlace(line);
    const same = groups.get(text);
    if (same === undefined) groups.set(text, [line]);
    else same.push(line);
  }
  return [...groups.values()].flatMap((same) => {
    if (same.length <= unfolded) return same;
    return [`${same[0]} (and in ${same.length - 1} more places: ${verboseFlag} lists them)`];
  });
}

const withoutPlace = (line: string): string =>
  line.replace(
    /^((?:\s*(?:notice|warning): )?)(?:\$(?:\.\w+|\[\d+\]|\["(?:[^"\\]|\\.)*"\])*|[^:]+:\d+(?::\d+)?): /,
    "$1",
  );

/** On one line, and without what would steer a terminal: names and reasons come from servers and databases. */
export function printable(text: string): string {
  const oneLine = text.trim().replace(/\s+/g, (blanks) => (/[\r\n]/.test(blanks) ? " " : blanks));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to take out
  return oneLine.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => JSON.stringify(character).slice(1, -1));
}

/** Ends with the end of a line. */
export function formatted(value: Json, format: Format): string {
  return format === "json" ? `${prettyJson(value, "")}\n` : yamlText(value);
}

/** `JSON.stringify` with an indentation of two, and all digits of numbers. */
function prettyJson(value: Json | JsonNumber, indentation: string): string {
  if (value instanceof JsonNumber) return value.text;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indentation}  `;
  const isList = Array.isArray(value);
  const members = isList
    ? value.map((item) => prettyJson(item, inner))
    : Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${prettyJson(member, inner)}`);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (members.length === 0) return `${open}${close}`;
  return `${open}\n${members.map((member) => `${inner}${member}`).join(",\n")}\n${indentation}${close}`;
}
