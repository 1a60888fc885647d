/** `manifest.json`: what the output was made from, and the hash of every file in it. */
import { createHash } from "node:crypto";
import { contractVersion } from "../../runtime/model/support/contract.ts";
import { hash } from "../catalog/canonical.ts";
import type { Shape } from "../shape/shape.ts";

export interface Manifest {
  /** Marks a folder as output of the compiler. */
  readonly generator: "engine";
  /** Version of the contract between generated code and runtime. */
  readonly contract: number;
  readonly catalog: string;
  /** By source. */
  readonly shapes: Readonly<Record<string, string>>;
  /** By path, apart from the manifest itself. */
  readonly files: Readonly<Record<string, string>>;
}

export function emitManifest(parts: Pick<Manifest, "catalog" | "shapes" | "files">): string {
  const manifest: Manifest = { generator: "engine", contract: contractVersion, ...parts };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** What one server calls its objects, and how it prints their SQL; the same schema on another one is the same Shape. */
const ofOneServer = new Set(["id", "position", "serverVersion", "definitions"]);

/** SHA-256 of a Shape, in hexadecimal. */
export function shapeHash(shape: Shape): string {
  return hash(JSON.parse(JSON.stringify(shape, (key, value) => (ofOneServer.has(key) ? undefined : value))));
}

/** SHA-256 of a file's text, in hexadecimal. */
export function textHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
