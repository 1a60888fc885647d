/** `--make-admin-secret`: the first start generates an admin secret, and later starts read it. */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, link, mkdir, open, rm, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { hasAdminSecret } from "../config/admin-secrets.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import type { Options } from "../config/option-table.ts";
import { Secret } from "../config/secret.ts";

export interface GeneratedSecret {
  readonly secret: Secret;
  /** `undefined` if the secret is not stored. Each start then generates a new one. */
  readonly path: string | undefined;
  readonly isNew: boolean;
}

/**
 * Returns a generated secret if the option is set and the server has no secret. The secret is stored next to the data
 * of the embedded PostgreSQL, and is not stored with other databases.
 * @throws ConfigurationError for a file that other users may read, or that contains no secret
 */
export async function generatedAdminSecret(options: Options): Promise<GeneratedSecret | undefined> {
  if (!options.makeAdminSecret || hasAdminSecret(options)) return undefined;
  const generated = randomBytes(32).toString("hex");
  if (options.databaseUrl !== null || options.metadataDatabaseUrl !== null) {
    return { secret: new Secret(generated), path: undefined, isNew: true };
  }
  const path = `${resolve(options.dataDirectory)}.admin-secret`;
  await mkdir(dirname(path), { recursive: true });
  const isNew = await storeNew(path, `${generated}\n`);
  return { secret: new Secret(isNew ? generated : await readStored(path)), path, isNew };
}

/** Writes a file atomically; resolves to false if it exists. */
async function storeNew(path: string, text: string): Promise<boolean> {
  const unfinished = `${path}.${randomBytes(8).toString("hex")}`;
  try {
    await writeFile(unfinished, text, { mode: 0o600, flag: "wx" });
    await link(unfinished, path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw unusable(path, String(error));
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function readStored(path: string): Promise<string> {
  // A symbolic link could refer to a file that other users can write.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
    throw unusable(path, String(error));
  });
  return closing(file, async () => {
    const { mode, size } = await file.stat();
    if ((mode & 0o077) !== 0) throw unusable(path, `other users may read it; run chmod 600 ${path}`);
    const text = size > 1024 ? "" : (await file.readFile("utf8")).trim();
    if (!/^[0-9a-f]{64}$/.test(text))
      throw unusable(path, "it contains no secret; delete it, and the next start generates one");
    return text;
  });
}

async function closing<T>(file: FileHandle, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await file.close();
  }
}

/**
 * Describes a generated secret.
 * @param isTerminal true if the text is shown on a terminal, and not stored in a log
 */
export function generatedSecretText({ secret, path, isNew }: GeneratedSecret, isTerminal: boolean): string {
  if (path === undefined) return `${secret.reveal()} (valid until the server stops)`;
  return isNew && isTerminal ? `${secret.reveal()} (shown once, stored in ${path})` : `stored in ${path}`;
}

function unusable(path: string, reason: string): ConfigurationError {
  const message = `cannot use ${path} for --make-admin-secret: ${reason}`;
  return new ConfigurationError([{ setting: null, message }]);
}
