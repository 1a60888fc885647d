/** An embedded PostgreSQL for the metadata of a check, in a temporary folder. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "../../databases/embedded-postgres/start-embedded-postgres.ts";

export interface EmbeddedMetadata {
  readonly url: string;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
}

export async function startEmbeddedMetadata(): Promise<EmbeddedMetadata> {
  const folder = await mkdtemp(join(tmpdir(), "engine-check-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const server = await startEmbeddedPostgres({ dataDirectory: join(folder, "postgres"), durable: false });
    return {
      url: server.url,
      stop: async () => {
        await server.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
