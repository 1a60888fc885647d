/** Verifies an artifact: it must contain exactly the files of its manifest, with their hashes. */
import { createHash } from "node:crypto";
import { closeSync, constants, type Dirent, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { EngineError } from "../../values/errors.ts";

export const artifactManifestPath = "manifest.json";

/** Returns the SHA-256 hash of a file's content in hexadecimal. */
export const fileHash = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex");

/**
 * Returns one line for each file that does not match the manifest. Reads synchronously, since nothing else runs at
 * start-up; this takes half the processor time of asynchronous reads.
 * @throws EngineError if the manifest is missing or does not describe an artifact
 */
export function changesOfArtifact(folder: string): readonly string[] {
  const listed = listedFiles(folder);
  const changes = Object.entries(listed).flatMap(([name, expected]) => {
    const hash = createHash("sha256");
    const found = readPieces(join(folder, name), (piece) => hash.update(piece));
    if (found === "missing") return [`${name} is missing`];
    if (found === "no file") return [`${name} is not a plain file`];
    return hash.digest("hex") === expected ? [] : [`${name} was changed`];
  });
  return [...changes, ...foreignEntries(folder, new Set([...Object.keys(listed), artifactManifestPath]))];
}

/** Returns a hash that identifies the contents of the artifact. */
export function manifestHash(folder: string): string {
  const hash = createHash("sha256");
  const file = join(folder, artifactManifestPath);
  if (readPieces(file, (piece) => hash.update(piece)) === "read") return hash.digest("hex");
  throw new EngineError("not-found", "$", `not an artifact: ${file} is missing`);
}

/** @throws EngineError if the artifact does not match its manifest */
export function refuseChangedArtifact(folder: string): void {
  const changes = changesOfArtifact(folder);
  if (changes.length === 0) return;
  throw new EngineError(
    "constraint-violation",
    "$",
    `the artifact ${folder} has been modified since it was built: ${changes.join(", ")}`,
  );
}

/** Returns all entries of the folder that the manifest does not list. Subfolders are not read: an artifact has none. */
function foreignEntries(folder: string, own: ReadonlySet<string>): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !own.has(name))
    .map((entry) => `${entry.name} is unexpected (${kindOf(entry)})`)
    .sort();
}

function kindOf(entry: Dirent): string {
  if (entry.isDirectory()) return "a folder";
  if (entry.isSymbolicLink()) return "a symbolic link";
  return "a file";
}

function listedFiles(folder: string): Readonly<Record<string, unknown>> {
  const file = join(folder, artifactManifestPath);
  const pieces: Buffer[] = [];
  const found = readPieces(file, (piece) => pieces.push(Buffer.from(piece)));
  if (found === "missing") throw new EngineError("not-found", "$", `not an artifact: ${file} is missing`);
  const files = found === "no file" ? undefined : filesOf(Buffer.concat(pieces).toString("utf8"));
  if (files === undefined || !("server.mjs" in files)) {
    throw new EngineError("parse-failed", "$", `${file} is not the manifest of an artifact`);
  }
  return files;
}

function filesOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const { files }: { readonly files?: unknown } = Object(JSON.parse(text));
    return typeof files === "object" && files !== null ? { ...files } : undefined;
  } catch {
    // Not JSON.
    return undefined;
  }
}

const pieceBytes = 256 * 1024;

/**
 * Reads a file without following symbolic links, whose targets can change independently of the folder.
 * @param take receives each piece, which is valid only during the call
 */
function readPieces(path: string, take: (piece: Buffer) => void): "read" | "missing" | "no file" {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!fstatSync(file).isFile()) return "no file";
    const piece = Buffer.allocUnsafe(pieceBytes);
    for (let bytes = readSync(file, piece); bytes > 0; bytes = readSync(file, piece)) take(piece.subarray(0, bytes));
    return "read";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return "missing";
    if (code === "ELOOP" || code === "EMLINK" || code === "ENXIO") return "no file";
    throw error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
