/** A function of the program around the server that takes the log. What it throws must not reach what is logged. */
import type { LogOutput } from "./standard-output.ts";

export function logSink(write: (line: string) => unknown): LogOutput {
  let isTold = false;
  const tell = (error: unknown): void => {
    if (isTold) return;
    isTold = true;
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`the function that takes the log failed, lines are lost: ${message}\n`);
  };
  return {
    write(line) {
      try {
        const returned = write(line);
        if (returned instanceof Promise) returned.catch(tell);
      } catch (error) {
        tell(error);
      }
    },
    drained: () => Promise.resolve(),
  };
}
