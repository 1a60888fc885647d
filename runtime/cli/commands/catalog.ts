/** `engine export` and `clean`: work on the metadata database, without a server. */
import { randomUUID } from "node:crypto";
import { exportMetadata } from "../../../compiler/catalog/canonical.ts";
import { emptyCatalog, withBackendDefaults } from "../../../compiler/catalog/catalog.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { ConfigurationError } from "../../config/configuration-error.ts";
import type { Options } from "../../config/option-table.ts";
import { type Flags, parseOptions } from "../../config/options.ts";
import { withSecrets } from "../../config/secret-commands.ts";
import { backendDefaults } from "../../control/analysis-options.ts";
import { valueOrThrow } from "../../control/diagnostic-errors.ts";
import { openMetadataStore } from "../../control/store.ts";
import { cleanCatalog } from "../../databases/metadata/downgrade.ts";
import { redactUrl } from "../../databases/sources/connection-settings.ts";
import { EngineError } from "../../values/errors.ts";
import { formatted, printDone, printResult, recordResult } from "../project/output.ts";

export async function exportCommand(flags: Flags): Promise<void> {
  const options = parseOptions(flags, await withSecrets(process.env));
  const { url, retries } = metadataDatabase(options);
  const store = await openMetadataStore(url, randomUUID(), { retries, migrate: false });
  try {
    const stored = await store.read().catch(undefinedIfMissing);
    if (stored === undefined) throw new EngineError("not-found", "$", `${redactUrl(url)} holds no metadata`);
    const catalog = valueOrThrow(readMetadataDocument(stored.metadata, emptyCatalog));
    const document = exportMetadata(withBackendDefaults(catalog, backendDefaults(options)));
    printResult(formatted(document, "json"), document);
  } finally {
    await store.close();
  }
}

/** PostgreSQL's codes for a missing schema and a missing table: no metadata was ever stored. */
const missing: ReadonlySet<unknown> = new Set(["3F000", "42P01"]);

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof Error && "code" in error && missing.has(error.code)) return undefined;
  throw error;
}

export async function cleanCommand(flags: Flags): Promise<void> {
  const { url, retries } = metadataDatabase(parseOptions(flags, await withSecrets(process.env)));
  const found = await cleanCatalog(url, retries);
  recordResult({ deleted: found });
  printDone(found ? `deleted the metadata in ${redactUrl(url)}` : `${redactUrl(url)} holds no metadata`);
}

/** @throws ConfigurationError if no option sets the URL */
export function metadataDatabase(options: Options): { readonly url: string; readonly retries: number } {
  const { metadataDatabaseUrl, databaseUrl, retries } = options;
  const url = metadataDatabaseUrl ?? databaseUrl;
  if (url !== null) return { url: url.reveal(), retries };
  const message =
    "no metadata database is configured; set --metadata-database-url (ENGINE_GRAPHQL_METADATA_DATABASE_URL) " +
    "or --database-url (ENGINE_GRAPHQL_DATABASE_URL)";
  throw new ConfigurationError([{ setting: null, message }]);
}
