/** The metadata database of an artifact: what it does by itself is kept there. Without one, none of that is served. */
import type { Options } from "../../config/option-table.ts";
import type { MetadataDatabase } from "../../databases/metadata/metadata-database.ts";
import { openMetadataDatabase } from "../../databases/metadata/open.ts";
import type { Log } from "../../observe/logs/log.ts";
import { logCatalogMigration } from "../../observe/logs/startup-steps.ts";
import type { ActionDatabase } from "../parts/async-actions.ts";
import type { Started } from "../parts/start.ts";

/**
 * @returns `undefined`: no option names one
 * @throws EngineError when the metadata database cannot be used
 */
export async function openSealedDatabase(
  started: Started,
  { metadataDatabaseUrl, retries }: Pick<Options, "metadataDatabaseUrl" | "retries">,
  log: Log,
): Promise<ActionDatabase | undefined> {
  if (metadataDatabaseUrl === null) return undefined;
  const database: MetadataDatabase = await openMetadataDatabase(metadataDatabaseUrl.reveal(), {
    retries,
    onMigrated: (from, to) => logCatalogMigration(log, { from, to }),
  });
  started.add(() => database.close());
  return {
    query: async (text, values) => (await database.query(text, values)).rows,
    time: () => null,
    listen: (channel, onMessage) => database.listen(channel, onMessage),
  };
}
