/** Client of `get_log_lines`. */

import { runOperation } from "./metadata-api.ts";
import type { Json } from "./metadata-types.ts";

export const logLevels = ["debug", "info", "warn", "error", "critical"] as const;

export type LogLevel = (typeof logLevels)[number];

export interface LogLine {
  /** Unique in all processes. */
  readonly id: string;
  readonly level?: LogLevel;
  readonly timestamp?: string;
  readonly type?: string;
  /** Number of the worker process. */
  readonly worker?: number;
  readonly detail?: Json;
  /** The line, or its beginning, if it was too long or could not be parsed. */
  readonly text?: string;
}

/** Empty texts stand for all lines. */
export interface LogFilter {
  readonly level: LogLevel;
  readonly type: string;
  readonly role: string;
  readonly text: string;
}

export interface LogPage {
  readonly lines: readonly LogLine[];
  readonly cursor: string;
  readonly has_more: boolean;
  /** Number of lines after the cursor that the server no longer has. */
  readonly missed: number;
}

/** Returns the newest lines, or those after a cursor. @throws ApiError */
export const logLines = ({ level, type, role, text }: LogFilter, after: string | null, limit: number) =>
  runOperation<LogPage>({
    type: "get_log_lines",
    args: {
      level,
      limit,
      ...(after !== null && { after }),
      ...(type !== "" && { types: [type] }),
      ...(role !== "" && { role }),
      ...(text !== "" && { text }),
    },
  });
