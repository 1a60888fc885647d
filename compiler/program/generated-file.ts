import { textHash } from "../4-emit/manifest.ts";

export interface GeneratedFile {
  /** Below the output folder, with slashes. */
  readonly path: string;
  readonly text: string;
  /** Of the text. */
  readonly hash: string;
}

export function generatedFile(path: string, text: string): GeneratedFile {
  return { path, text, hash: textHash(text) };
}
