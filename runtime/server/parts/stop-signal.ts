/** Resolves on the first SIGINT or SIGTERM; a second one ends the process immediately. */
export function stopSignal(): Promise<void> {
  return new Promise<void>((resolve) => {
    let received = false;
    const onSignal = (name: NodeJS.Signals): void => {
      if (received) process.exit(name === "SIGINT" ? 130 : 143);
      received = true;
      resolve();
    };
    process.on("SIGINT", onSignal);
    process.on("SIGTERM", onSignal);
  });
}
