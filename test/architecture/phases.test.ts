/** The paths of a metadata change and of a request, as the READMEs have them: files that exist, each one step. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { edgesOf, importsOf, sourceFiles } from "./imports.ts";

const root = join(import.meta.dirname, "../..");

/** The file that each step of a section's numbered list begins with. */
function stepsOf(page: string, heading: string): readonly string[] {
  const text = readFileSync(join(root, page), "utf8");
  const section = text.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^\d+\. `([^`]+)`:/gm)].map(([, file]) => file ?? "");
}

/** The number of a compiler's phase. */
const phaseOf = (file: string): number | undefined => {
  const found = /^compiler\/(\d)-/.exec(file)?.[1];
  return found === undefined ? undefined : Number(found);
};

describe("the path of a metadata change", () => {
  const steps = stepsOf("compiler/README.md", "A metadata change");

  it("names files that exist", () => {
    expect(steps.length).toBeGreaterThan(10);
    expect(steps.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it("has no step back", () => {
    expect(new Set(steps).size).toBe(steps.length);
    const phases = steps.flatMap((file) => phaseOf(file) ?? []);
    expect(phases).toEqual([...phases].sort((a, b) => a - b));
  });
});

/** Everything that a file loads, itself left out: what it can call. */
function loadedBy(file: string, edges: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const loaded = new Set(edges.get(file));
  for (const each of loaded) for (const next of edges.get(each) ?? []) loaded.add(next);
  return loaded;
}

describe("the path of a request", () => {
  const steps = stepsOf("runtime/README.md", "A request");

  it("names files that exist, each once", () => {
    expect(steps.length).toBeGreaterThan(10);
    expect(steps.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    expect(new Set(steps).size).toBe(steps.length);
  });

  it("has no step back: none can call one before it", () => {
    const imports = ["compiler", "runtime"].flatMap(sourceFiles).flatMap(importsOf);
    const edges = edgesOf(imports.filter(({ typeOnly }) => !typeOnly));
    const back = steps.flatMap((file, i) => {
      const loaded = loadedBy(file, edges);
      return steps.slice(0, i).flatMap((earlier) => (loaded.has(earlier) ? `${file} → ${earlier}` : []));
    });
    expect(back).toEqual([]);
    // The check sees what it is to see.
    expect(loadedBy("runtime/http/serve.ts", edges)).toContain("runtime/http/compression.ts");
  });
});

describe("the folders", () => {
  it.each(["compiler", "runtime"])("of %s are all in its README", (top) => {
    const text = readFileSync(join(root, top, "README.md"), "utf8");
    const folders = readdirSync(join(root, top), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => !text.includes(`| \`${name}/\` |`))).toEqual([]);
  });
});
