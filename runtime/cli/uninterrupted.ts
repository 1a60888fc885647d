/** Work on files that must not stop half way: Ctrl-C waits for its end. */

const signals = ["SIGINT", "SIGTERM"] as const;

/** A signal that comes meanwhile takes effect afterwards. */
export async function uninterrupted<T>(work: () => Promise<T>): Promise<T> {
  let received: NodeJS.Signals | undefined;
  const hold = (signal: NodeJS.Signals): void => {
    received ??= signal;
  };
  for (const signal of signals) process.on(signal, hold);
  try {
    return await work();
  } finally {
    for (const signal of signals) process.off(signal, hold);
    if (received !== undefined) process.kill(process.pid, received);
  }
}
