/** Stack frames of generated modules → the lines as they were generated. */
import type { SourceMap } from "node:module";

const frame = /(generated\/[^\n]*?\.ts):(\d+):(\d+)/g;

/**
 * Rewrites the frames of a stack.
 * @param mapOf the source map of a file, by the name that frames give it
 */
export function mapStack(stack: string, mapOf: (file: string) => SourceMap | undefined): string {
  return stack.replace(frame, (text, file: string, line: string, column: string) => {
    const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !("originalLine" in entry)) return text;
    return `${file}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}
