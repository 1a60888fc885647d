/** The steps of a metadata change and of a request in the READMEs: each names an existing file. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { edgesOf, importsOf, sourceFiles } from "./imports.ts";

const root = join(import.meta.dirname, "../..");

/** Returns the file at the beginning of each step of a section's numbered list. */
function stepsOf(page: string, heading: string): readonly string[] {
  const text = readFileSync(join(root, page), "utf8");
  const section = text.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^\d+\. `([^`]+)`:/gm)].map(([, file]) => file ?? "");
}

/** Returns the number of a compiler phase. */
const phaseOf = (file: string): number | undefined => {
  const found = /^compiler\/(\d)-/.exec(file)?.[1];
  return found === undefined ? undefined : Number(found);
};

describe("The path of a metadata change", () => {
  const steps = stepsOf("compiler/README.md", "A metadata change");

  it("The documented path of a metadata change names existing files", () => {
    expect(steps.length).toBeGreaterThan(10);
    expect(steps.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it("The path of a metadata change never returns to an earlier phase", () => {
    expect(new Set(steps).size).toBe(steps.length);
    const phases = steps.flatMap((file) => phaseOf(file) ?? []);
    expect(phases).toEqual([...phases].sort((a, b) => a - b));
  });
});

/** Returns all files that a file loads, without the file itself: the code that it can call. */
function loadedBy(file: string, edges: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const loaded = new Set(edges.get(file));
  for (const each of loaded) for (const next of edges.get(each) ?? []) loaded.add(next);
  return loaded;
}

describe("The path of a request", () => {
  const steps = stepsOf("runtime/README.md", "A request");

  it("The documented path of a request names existing files once each, in at most twelve steps", () => {
    expect(steps.length).toBeGreaterThan(10);
    expect(steps.length).toBeLessThanOrEqual(12);
    expect(steps.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    expect(new Set(steps).size).toBe(steps.length);
  });

  it("The path of a request never returns to an earlier step", () => {
    const imports = ["compiler", "runtime"].flatMap(sourceFiles).flatMap(importsOf);
    const edges = edgesOf(imports.filter(({ typeOnly }) => !typeOnly));
    const back = steps.flatMap((file, i) => {
      const loaded = loadedBy(file, edges);
      return steps.slice(0, i).flatMap((earlier) => (loaded.has(earlier) ? `${file} → ${earlier}` : []));
    });
    expect(back).toEqual([]);
    // The check detects a violation.
    expect(loadedBy("runtime/http/serve.ts", edges)).toContain("runtime/http/compression.ts");
  });
});

describe("The documented folders", () => {
  it.each(["compiler", "runtime"])("The README of %s lists all its folders", (top) => {
    const text = readFileSync(join(root, top, "README.md"), "utf8");
    const folders = readdirSync(join(root, top), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => !text.includes(`| \`${name}/\` |`))).toEqual([]);
  });
});
