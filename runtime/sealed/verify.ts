/** Whether an artifact is as it was built: the files that its manifest lists, by their hashes, and no others. */
import { createHash } from "node:crypto";
import { constants, type Dirent } from "node:fs";
import { type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "../values/errors.ts";

export const artifactManifestPath = "manifest.json";

/** Of a file's bytes, in hexadecimal. */
export const fileHash = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex");

/**
 * What was changed, one line for each file; none: the artifact is as its manifest says.
 * @throws EngineError when there is no manifest, or that of something else
 */
export async function changesOfArtifact(folder: string): Promise<readonly string[]> {
  const listed = await listedFiles(folder);
  const changes = await Promise.all(
    Object.entries(listed).map(async ([name, expected]) => {
      const content = await contentOf(join(folder, name));
      if (content === "missing") return [`${name} is missing`];
      if (content === "no file") return [`${name} is not a plain file`];
      return fileHash(content) === expected ? [] : [`${name} was changed`];
    }),
  );
  const foreign = await foreignEntries(folder, new Set([...Object.keys(listed), artifactManifestPath]));
  return [...changes.flat(), ...foreign];
}

/** @throws EngineError when the artifact is not as it was built */
export async function refuseChangedArtifact(folder: string): Promise<void> {
  const changes = await changesOfArtifact(folder);
  if (changes.length === 0) return;
  throw new EngineError(
    "constraint-violation",
    "$",
    `the artifact ${folder} is not as it was built: ${changes.join(", ")}`,
  );
}

/** An artifact is a flat folder: whatever else lies in it does not belong there, and is not looked into. */
async function foreignEntries(folder: string, own: ReadonlySet<string>): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter(({ name }) => !own.has(name))
    .map((entry) => `${entry.name} does not belong to it (${kindOf(entry)})`)
    .sort();
}

function kindOf(entry: Dirent): string {
  if (entry.isDirectory()) return "a folder";
  if (entry.isSymbolicLink()) return "a symbolic link";
  return "a file";
}

async function listedFiles(folder: string): Promise<Readonly<Record<string, unknown>>> {
  const file = join(folder, artifactManifestPath);
  const content = await contentOf(file);
  if (content === "missing") throw new EngineError("not-found", "$", `${file} is missing: this is no artifact`);
  const files = content === "no file" ? undefined : filesOf(content.toString("utf8"));
  if (files === undefined || !("server.mjs" in files)) {
    throw new EngineError("parse-failed", "$", `${file} is no manifest of an artifact`);
  }
  return files;
}

function filesOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const { files }: { readonly files?: unknown } = Object(JSON.parse(text));
    return typeof files === "object" && files !== null ? { ...files } : undefined;
  } catch {
    // No JSON: no manifest.
    return undefined;
  }
}

/** Symbolic links are not followed: what they lead to can change without the folder. */
async function contentOf(path: string): Promise<Buffer | "missing" | "no file"> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    return (await file.stat()).isFile() ? await file.readFile() : "no file";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return "missing";
    if (code === "ELOOP" || code === "EMLINK" || code === "ENXIO") return "no file";
    throw error;
  } finally {
    await file?.close();
  }
}
