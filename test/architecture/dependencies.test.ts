/**
 * Every package that the product imports loads on this Node: some of them fit together only in exact versions, install
 * cleanly in others, and then fail at the import. An installed package brings only what the bundles leave out.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { installBinaries } from "../../runtime/databases/embedded-postgres/binaries.ts";
import { importsOf, sourceFiles } from "./imports.ts";

interface Description {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const description: Description = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** `@scope/name/part` → `@scope/name`. */
const packageOf = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;

const names = new Set(
  ["compiler", "runtime"]
    .flatMap(sourceFiles)
    .flatMap(importsOf)
    .filter(({ to, typeOnly }) => !typeOnly && !/^(?:node:|compiler\/|runtime\/|engine\/|package\.json$)/.test(to))
    .map(({ to }) => packageOf(to)),
);

describe("packages that the product imports", () => {
  it("are listed in package.json", () => {
    const listed = { ...description.dependencies, ...description.devDependencies };
    expect([...names].filter((name) => !(name in listed))).toEqual([]);
    expect([...names]).toContain("pg");
  });

  it.each([...names])("include %s, which loads", async (name) => {
    const loaded: Record<string, unknown> = await import(name);
    expect(Object.keys(loaded).length).toBeGreaterThan(0);
  });

  it("include the programs of the embedded PostgreSQL for this platform", async () => {
    const binaries = await installBinaries(undefined);
    expect(binaries.major).toBe("15");
  });

  it("are installed with the package only where its bundles leave them out", () => {
    expect(Object.keys(description.dependencies)).toEqual(["embedded-postgres", "esbuild", "graphql", "ts-morph"]);
  });
});
