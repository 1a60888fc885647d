/** Waits for what ends a server: a signal, or its embedded database. */
import type { EmbeddedPostgres } from "../embedded-postgres/start-embedded-postgres.ts";

/**
 * Resolves at the first SIGINT or SIGTERM; a second one ends the process at once.
 * @throws EmbeddedPostgresError when the embedded database ends by itself
 */
export async function untilStopped(embedded: EmbeddedPostgres | null): Promise<void> {
  const signal = new Promise<void>((resolve) => {
    let received = false;
    const onSignal = (name: NodeJS.Signals): void => {
      if (received) process.exit(name === "SIGINT" ? 130 : 143);
      received = true;
      resolve();
    };
    process.on("SIGINT", onSignal);
    process.on("SIGTERM", onSignal);
  });
  const lost = embedded?.ended.then((error) => {
    if (error) throw error;
  });
  await (lost ? Promise.race([signal, lost]) : signal);
}
