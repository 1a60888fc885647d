/** Passes log lines to a function of the embedding program. Its exceptions must not reach the code that logs. */
import type { LogOutput } from "./standard-output.ts";

export function logSink(write: (line: string) => unknown): LogOutput {
  let isReported = false;
  const report = (error: unknown): void => {
    if (isReported) return;
    isReported = true;
    const message = error instanceof Error ? error.message : String(error);
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
