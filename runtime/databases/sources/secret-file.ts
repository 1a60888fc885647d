/** A connection string that stands in a file, `dynamic_from_file`: which files may be named, and how they are read. */
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { EngineError } from "../../values/errors.ts";
import type { SourceEnvironment } from "./connection-settings.ts";

export interface SecretFile {
  /** Absolute, as the metadata names it. */
  readonly path: string;
  /** The folder that it must not leave, or the only file that is allowed. */
  readonly allowed: string;
}

/**
 * @param path a relative one begins at the working directory
 * @throws EngineError `permission-error` for a path outside the allowed prefix
 */
export function secretFile(path: string, { dynamicSecretsPrefix }: SourceEnvironment): SecretFile {
  if (dynamicSecretsPrefix === undefined || dynamicSecretsPrefix === "") {
    const variable = "ENGINE_GRAPHQL_DYNAMIC_SECRETS_ALLOWED_PATH_PREFIX";
    throw new EngineError("permission-error", "$", `dynamic_from_file needs the setting ${variable}`);
  }
  const file = { path: resolve(path), allowed: resolve(dynamicSecretsPrefix) };
  if (isWithin(file.allowed, file.path)) return file;
  const message = `dynamic_from_file path "${path}" does not begin with the allowed prefix "${dynamicSecretsPrefix}"`;
  throw new EngineError("permission-error", "$", message);
}

/**
 * The file's text. Symbolic links are followed and the prefix is checked at every reading: links may change, and the
 * file that is checked has to be the one that is read.
 * @throws EngineError `permission-error` when a symbolic link leads out of the allowed prefix; errors of the file system
 */
export function readSecretFile({ path, allowed }: SecretFile): string {
  const real = realpathSync(path);
  const leaves = (): EngineError =>
    new EngineError("permission-error", "$", `dynamic_from_file path "${path}" leads out of the allowed prefix`);
  if (!isWithin(realpathSync(allowed), real)) throw leaves();
  const descriptor = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const opened = fstatSync(descriptor);
    // A folder above it may have been replaced by a link since its path was checked.
    const found = statSync(real);
    if (realpathSync(real) !== real || found.dev !== opened.dev || found.ino !== opened.ino) throw leaves();
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

function isWithin(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}
