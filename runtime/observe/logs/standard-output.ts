/** Standard output of the log: JSON for programs, readable lines on a terminal. */

import { isatty } from "node:tty";
import type { Options } from "../../config/option-table.ts";
import { messageOf } from "../../values/message-of.ts";
import { LineBuffer } from "./line-buffer.ts";
import { timestampMember } from "./log.ts";
import { readableLine } from "./readable-line.ts";

export interface LogOutput {
  /**
   * Queues a line.
   * @param line one JSON object with its line break
   */
  write(line: string): void;
  /** Resolves when all lines have been written, or after a timeout. */
  drained(): Promise<void>;
}

const descriptor = 1;

/** @param hasBanner true if the terminal also shows the banner of the start, which then replaces its log lines */
export function standardOutput({ logFormat }: Pick<Options, "logFormat">, hasBanner = false): LogOutput {
  const isTerminal = isatty(descriptor);
  const isReadable = (logFormat ?? (isTerminal ? "text" : "json")) === "text";
  const colored = isTerminal && !process.env.NO_COLOR;
  const settings = { isColored: colored, hasBanner: hasBanner && isTerminal };
  const shown = (line: string): string => (isReadable ? readableLine(line, settings) : line);
  const buffer = new LineBuffer(descriptor, (count) => shown(droppedLine(count)));
  return { write: (line) => buffer.write(shown(line)), drained: () => buffer.drained() };
}

function droppedLine(count: number): string {
  const detail = { message: `${count} log lines were dropped because the output was not read` };
  return `{"level":"warn"${timestampMember()()},"type":"unstructured","detail":${JSON.stringify(detail)}}\n`;
}

/** Passes log lines to a function of the embedding program. Its exceptions must not reach the code that logs. */
export function logSink(write: (line: string) => unknown): LogOutput {
  let isReported = false;
  const report = (error: unknown): void => {
    if (isReported) return;
    isReported = true;
    const message = messageOf(error);
    process.stderr.write(`the log function failed; log lines are lost: ${message}\n`);
  };
  return {
    write(line) {
      try {
        const returned = write(line);
        if (returned instanceof Promise) returned.catch(report);
      } catch (error) {
        report(error);
      }
    },
    drained: () => Promise.resolve(),
  };
}
