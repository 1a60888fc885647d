/** Whether an artifact is as it was built: the files that its manifest lists, by their hashes, and no others. */
import { createHash } from "node:crypto";
import { closeSync, constants, type Dirent, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { EngineError } from "../../values/errors.ts";

export const artifactManifestPath = "manifest.json";

/** Of a file's bytes, in hexadecimal. */
export const fileHash = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex");

/**
 * What was changed, one line for each file; none: the artifact is as its manifest says. At the start of a process
 * nothing waits: reading without promises, piece by piece, takes half the processor time.
 * @throws EngineError when there is no manifest, or that of something else
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

/** Tells the artifact apart from all that hold anything else. */
export function manifestHash(folder: string): string {
  const hash = createHash("sha256");
  const file = join(folder, artifactManifestPath);
  if (readPieces(file, (piece) => hash.update(piece)) === "read") return hash.digest("hex");
  throw new EngineError("not-found", "$", `${file} is missing: this is no artifact`);
}

/** @throws EngineError when the artifact is not as it was built */
export function refuseChangedArtifact(folder: string): void {
  const changes = changesOfArtifact(folder);
  if (changes.length === 0) return;
  throw new EngineError(
    "constraint-violation",
    "$",
    `the artifact ${folder} is not as it was built: ${changes.join(", ")}`,
  );
}

/** An artifact is a flat folder: whatever else lies in it does not belong there, and is not looked into. */
function foreignEntries(folder: string, own: ReadonlySet<string>): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !own.has(name))
    .map((entry) => `${entry.name} does not belong to it (${kindOf(entry)})`)
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
  if (found === "missing") throw new EngineError("not-found", "$", `${file} is missing: this is no artifact`);
  const files = found === "no file" ? undefined : filesOf(Buffer.concat(pieces).toString("utf8"));
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

const pieceBytes = 256 * 1024;

/**
 * Symbolic links are not followed: what they lead to can change without the folder.
 * @param take is lent each piece for the time of the call
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
