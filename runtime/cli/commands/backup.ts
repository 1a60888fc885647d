/** `engine backup` and `engine restore`: the state in the metadata database as a file, without a server. */
import { ConfigurationError } from "../../config/configuration-error.ts";
import { type Flags, parseOptions } from "../../config/options.ts";
import { withSecrets } from "../../config/secret-commands.ts";
import { verifyBackup } from "../../databases/metadata/backup/backup-file.ts";
import { restoreBackup } from "../../databases/metadata/backup/restore-backup.ts";
import { type BackupPart, backupParts } from "../../databases/metadata/backup/tables.ts";
import { writeBackup } from "../../databases/metadata/backup/write-backup.ts";
import { redactUrl } from "../../databases/sources/connection-settings.ts";
import { printDone, recordResult } from "../project/output.ts";
import { version } from "../version.ts";
import { metadataDatabase } from "./catalog.ts";

export async function backupCommand(file: string, { without, ...flags }: Flags): Promise<void> {
  const left = partsOf(without);
  const { url, retries } = metadataDatabase(parseOptions(flags, await withSecrets(process.env)));
  const rows = await writeBackup(url, { retries, file, without: left, engineVersion: version });
  recordResult({ file, rows });
  printDone(`wrote ${rows} rows of ${redactUrl(url)} to ${file}`);
}

export async function restoreCommand(file: string, { without, replace, check, ...flags }: Flags): Promise<void> {
  const left = partsOf(without);
  if (check === true) {
    const { header, rows } = await verifyBackup(file);
    recordResult({ file, ...header, rows: Object.fromEntries(rows) });
    printDone(
      `${file} is complete: catalog version ${header.catalog_version}, written by version ${header.engine_version} on ` +
        `${header.created_at}, parts ${header.parts.join(", ")}`,
    );
    return;
  }
  const { url, retries } = metadataDatabase(parseOptions(flags, await withSecrets(process.env)));
  const { rows, backup } = await restoreBackup(url, file, { retries, without: left, replace: replace === true });
  recordResult({ file, rows });
  printDone(`restored ${rows} rows of ${backup.header.created_at} from ${file} to ${redactUrl(url)}`);
}

/** @throws ConfigurationError for an unknown part */
function partsOf(given: unknown): ReadonlySet<BackupPart> {
  const names = typeof given === "string" ? given.split(",").map((name) => name.trim()) : [];
  const parts = names.map((name) => {
    const part = backupParts.find((each) => each === name);
    if (part !== undefined) return part;
    const message = `${JSON.stringify(name)} is not one of ${backupParts.join(", ")}`;
    throw new ConfigurationError([{ setting: "--without", message }]);
  });
  return new Set(parts);
}
