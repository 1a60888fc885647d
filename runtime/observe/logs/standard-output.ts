/** Where the log of a server goes: JSON for programs, readable lines for whoever sits before a terminal. */
import { isatty } from "node:tty";
import type { Options } from "../../config/option-table.ts";
import { LineBuffer } from "./line-buffer.ts";
import { timestampMember } from "./log.ts";
import { readableLine } from "./readable-line.ts";

export interface LogOutput {
  /** @param line one JSON object, with its end; it is on its way after a moment */
  write(line: string): void;
  /** Resolves when the lines so far are written, or the reader has been waited for long enough. */
  drained(): Promise<void>;
}

const descriptor = 1;

export function standardOutput({ logFormat }: Pick<Options, "logFormat">): LogOutput {
  const isTerminal = isatty(descriptor);
  const isReadable = (logFormat ?? (isTerminal ? "text" : "json")) === "text";
  const coloured = isTerminal && !process.env.NO_COLOR;
  const shown = (line: string): string => (isReadable ? readableLine(line, { coloured }) : line);
  const buffer = new LineBuffer(descriptor, (count) => shown(droppedLine(count)));
  return { write: (line) => buffer.write(shown(line)), drained: () => buffer.drained() };
}

function droppedLine(count: number): string {
  const detail = { message: `${count} log lines were dropped: the output was not read` };
  return `{"level":"warn"${timestampMember()()},"type":"unstructured","detail":${JSON.stringify(detail)}}\n`;
}
