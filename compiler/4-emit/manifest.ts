/** Emits `manifest.json`: hashes of the inputs and of every file of the output. */
import { createHash } from "node:crypto";
import { contractVersion } from "../../runtime/model/support/contract.ts";
import { hash } from "../catalog/canonical.ts";
import type { Shape } from "../shape/shape.ts";

export interface Manifest {
  /** Marks the folder as compiler output. */
  readonly generator: "engine";
  /** Version of the contract between generated code and runtime. */
  readonly contract: number;
  /** Hash of the metadata. */
  readonly catalog: string;
  /** Hashes of the Shapes by source. */
  readonly shapes: Readonly<Record<string, string>>;
  /** Hashes of the files by path, except the manifest. */
  readonly files: Readonly<Record<string, string>>;
}

export function emitManifest(parts: Pick<Manifest, "catalog" | "shapes" | "files">): string {
  const manifest: Manifest = { generator: "engine", contract: contractVersion, ...parts };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Properties that differ between servers with the same schema. */
const serverSpecific = new Set(["id", "position", "serverVersion", "definitions", "review"]);

/** Returns the SHA-256 of a Shape without its server-specific properties, in hexadecimal. */
export function shapeHash(shape: Shape): string {
  return hash(JSON.parse(JSON.stringify(shape, (key, value) => (serverSpecific.has(key) ? undefined : value))));
}

/** Returns the SHA-256 of a file's text, in hexadecimal. */
export function textHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
