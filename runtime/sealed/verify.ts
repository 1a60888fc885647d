/** Whether an artifact is as it was built: the files that its manifest lists, by their hashes. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "../support/errors.ts";

export const artifactManifestPath = "manifest.json";

/** Of a file's bytes, in hexadecimal. */
export const fileHash = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex");

/**
 * What was changed, one line for each file; none: the artifact is as its manifest says.
 * @throws EngineError when there is no manifest, or that of something else
 */
export async function changesOfArtifact(folder: string): Promise<readonly string[]> {
  const changes: string[] = [];
  for (const [path, expected] of Object.entries(await listedFiles(folder))) {
    const content = await contentOf(join(folder, path));
    if (content === undefined) changes.push(`${path} is missing`);
    else if (fileHash(content) !== expected) changes.push(`${path} was changed`);
  }
  return changes;
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

async function listedFiles(folder: string): Promise<Readonly<Record<string, unknown>>> {
  const file = join(folder, artifactManifestPath);
  const text = await contentOf(file);
  if (text === undefined) throw new EngineError("not-found", "$", `${file} is missing: this is no artifact`);
  const files = filesOf(text.toString("utf8"));
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

async function contentOf(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
