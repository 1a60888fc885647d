/** Writes received results into test files as expected ones. Comments and all other parts of a file are kept. */

import { readFile } from "node:fs/promises";
import { type Document, isMap, isSeq, type Node, type Scalar, type YAMLMap } from "yaml";
import type { Json } from "../../../compiler/catalog/model.ts";
import { parseYaml } from "../../metadata-text/yaml-file.ts";
import { yamlText } from "../../metadata-text/yaml-text.ts";
import { EngineError } from "../../values/errors.ts";
import { replaceFile } from "../project/replace-file.ts";
import type { Received } from "./run-case.ts";
import type { TestResult } from "./run-tests.ts";

/**
 * Writes the results of cases that failed with a response.
 * @returns the number of updated cases
 * @throws EngineError if a file cannot be written, or includes its cases from another file; it is then unchanged
 */
export async function updateFiles(results: readonly TestResult[]): Promise<number> {
  const updates = results.flatMap(({ file, test, outcome }) =>
    outcome.kind === "different" || outcome.kind === "unwritten" ? [{ file, test, received: outcome.received }] : [],
  );
  for (const path of new Set(updates.map(({ file }) => file.path))) {
    const own = updates.filter(({ file }) => file.path === path);
    const text = await readFile(path, "utf8");
    const { document } = parseYaml({ file: path, text });
    const edits = own.flatMap(({ test, received }) => editsOf(caseIn(document, path, test.index), text, received));
    await replaceFile(path, edited(text, edits));
  }
  return updates.length;
}

type CaseMap = YAMLMap<Scalar<string>, Node | null>;

/** @throws EngineError if the case is in another file, or in braces */
function caseIn(document: Document, path: string, index: number): CaseMap {
  const cases = document.get("cases", true);
  const test = isSeq(cases) ? cases.items[index] : undefined;
  if (isMap<Scalar<string>, Node | null>(test) && test.flow !== true) return test;
  const message = `${path}: --update cannot write case ${index + 1}: write it in this file, with one key in a line`;
  throw new EngineError("not-supported", "$", message);
}

/** Replaces the text from `from` to `to`. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

function editsOf({ items }: CaseMap, text: string, { data, error }: Received): readonly Edit[] {
  const expected = {
    ...(data !== undefined && { data }),
    ...(error && { error: { code: error.code, message: error.message } }),
  };
  const column = startOf(items[0]) - (text.lastIndexOf("\n", startOf(items[0])) + 1);
  const written = yamlText(expected as Json)
    .trimEnd()
    .replace(/\n(?=.)/g, `\n${" ".repeat(column)}`);
  const [first, second] = items.filter(({ key }) => key.value === "data" || key.value === "error");
  const last = items.at(-1);
  if (first === undefined)
    return [{ from: endOf(last, text), to: endOf(last, text), text: `\n${" ".repeat(column)}${written}` }];
  const replaced = { from: startOf(first), to: endOf(first, text), text: written };
  if (second === undefined) return [replaced];
  return [replaced, { from: text.lastIndexOf("\n", startOf(second)), to: endOf(second, text), text: "" }];
}

const startOf = (pair: CaseMap["items"][number] | undefined): number => pair?.key.range?.[0] ?? 0;

/** Returns the end of the line with the end of the value. */
function endOf(pair: CaseMap["items"][number] | undefined, text: string): number {
  const end = pair?.value?.range?.[1] ?? pair?.key.range?.[1] ?? 0;
  const line = text.indexOf("\n", text.slice(0, end).trimEnd().length);
  return line < 0 ? text.length : line;
}

function edited(text: string, edits: readonly Edit[]): string {
  const backwards = [...edits].sort((a, b) => b.from - a.from);
  return backwards.reduce((done, edit) => done.slice(0, edit.from) + edit.text + done.slice(edit.to), text);
}
