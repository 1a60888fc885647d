/** The source files of the product and their imports. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const root = join(import.meta.dirname, "../..");

export interface Import {
  readonly from: string;
  /** Path from the root of the repository, or a package name. */
  readonly to: string;
  readonly typeOnly: boolean;
}

export function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file));
}

const importPattern =
  /(?:^|\n)\s*(import|export)(\s+type)?\s[^;"']*?from\s*["']([^"']+)["']|import\(\s*["']([^"']+)["']\s*\)/g;

export function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(importPattern)].map((match) => {
    const specifier = match[3] ?? match[4] ?? "";
    const to = specifier.startsWith(".") ? relative(root, join(root, dirname(file), specifier)) : specifier;
    return { from: file, to, typeOnly: match[2] !== undefined };
  });
}

/** Maps each file to the files that it imports. */
export function edgesOf(imports: readonly Import[]): ReadonlyMap<string, readonly string[]> {
  const edges = new Map<string, string[]>();
  for (const { from, to } of imports) {
    const known = edges.get(from);
    if (known) known.push(to);
    else edges.set(from, [to]);
  }
  return edges;
}
