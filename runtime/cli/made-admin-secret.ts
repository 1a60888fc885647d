/** `--make-admin-secret`: an admin secret that the first start makes, and later ones read. */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, link, mkdir, open, rm, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { hasAdminSecret } from "../config/admin-secrets.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import type { Options } from "../config/option-table.ts";
import { Secret } from "../config/secret.ts";

export interface MadeSecret {
  readonly secret: Secret;
  /** `undefined`: the next start makes another one. */
  readonly path: string | undefined;
  readonly isNew: boolean;
}

/**
 * Returns the secret for a server that has none of its own, if the option asks for one. It is kept beside the data of the
 * embedded PostgreSQL; a server on other databases has no folder.
 * @throws ConfigurationError for a file that others may read or that holds no secret
 */
export async function madeAdminSecret(options: Options): Promise<MadeSecret | undefined> {
  if (!options.makeAdminSecret || hasAdminSecret(options)) return undefined;
  const made = randomBytes(32).toString("hex");
  if (options.databaseUrl !== null || options.metadataDatabaseUrl !== null) {
    return { secret: new Secret(made), path: undefined, isNew: true };
  }
  const path = `${resolve(options.dataDirectory)}.admin-secret`;
  await mkdir(dirname(path), { recursive: true });
  const isNew = await keep(path, `${made}\n`);
  return { secret: new Secret(isNew ? made : await kept(path)), path, isNew };
}

/** Writes the whole file or nothing; returns `false` where there is one. */
async function keep(path: string, text: string): Promise<boolean> {
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

async function kept(path: string): Promise<string> {
  // A link could lead to a file that others write.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
    throw unusable(path, String(error));
  });
  return closing(file, async () => {
    const { mode, size } = await file.stat();
    if ((mode & 0o077) !== 0) throw unusable(path, `other users may read it: chmod 600 ${path}`);
    const text = size > 1024 ? "" : (await file.readFile("utf8")).trim();
    if (!/^[0-9a-f]{64}$/.test(text))
      throw unusable(path, "it holds no secret: delete it, and the next start makes one");
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

/** @param isTerminal whether what is written is shown to a person and kept nowhere */
export function madeSecretLine({ secret, path, isNew }: MadeSecret, isTerminal: boolean): string {
  if (path === undefined) return `admin secret, for this start only: ${secret.reveal()}`;
  return isNew && isTerminal
    ? `admin secret, shown once and kept in ${path}: ${secret.reveal()}`
    : `admin secret: kept in ${path}`;
}

function unusable(path: string, reason: string): ConfigurationError {
  const message = `--make-admin-secret cannot use ${path}: ${reason}`;
  return new ConfigurationError([{ setting: null, message }]);
}
