/** Waits for what ends a server: a signal, or its embedded database. */
import type { EmbeddedPostgres } from "../databases/embedded-postgres/start-embedded-postgres.ts";
import { stopSignal } from "../server/parts/stop-signal.ts";

/**
 * Resolves at the first SIGINT or SIGTERM; a second one ends the process at once.
 * @throws EmbeddedPostgresError when the embedded database ends by itself
 */
export async function untilStopped(embedded: EmbeddedPostgres | null): Promise<void> {
  const lost = embedded?.ended.then((error) => {
    if (error) throw error;
  });
  await (lost ? Promise.race([stopSignal(), lost]) : stopSignal());
}
