/**
 * Every package that the product imports loads on this Node version. Some packages only work together in exact
 * versions: they install cleanly in others and then fail on import. An installed package ships only what the bundles
 * leave out.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { installBinaries } from "../../runtime/databases/embedded-postgres/binaries.ts";
import { importsOf, sourceFiles } from "./imports.ts";

interface Description {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const description: Description = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** Returns the package name: `@scope/name/part` → `@scope/name`. */
const packageOf = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;

const names = new Set(
  ["compiler", "runtime"]
    .flatMap(sourceFiles)
    .flatMap(importsOf)
    .filter(({ to, typeOnly }) => !typeOnly && !/^(?:node:|compiler\/|runtime\/|engine\/|package\.json$)/.test(to))
    .map(({ to }) => packageOf(to)),
);

describe("Packages imported by the product", () => {
  it("Every imported package is listed in package.json", () => {
    const listed = { ...description.dependencies, ...description.devDependencies };
    expect([...names].filter((name) => !(name in listed))).toEqual([]);
    expect([...names]).toContain("pg");
  });

  it.each([...names])("The imported package %s loads", async (name) => {
    const loaded: Record<string, unknown> = await import(name);
    expect(Object.keys(loaded).length).toBeGreaterThan(0);
  });

  it("The embedded PostgreSQL has programs for this platform", async () => {
    const binaries = await installBinaries(undefined);
    expect(binaries.major).toBe("15");
  });

  it("The dependencies are exactly the packages that the bundles leave out", () => {
    expect(Object.keys(description.dependencies)).toEqual(["esbuild", "graphql", "ts-morph"]);
    const optional = Object.keys(description.optionalDependencies);
    expect(optional.filter((name) => !name.startsWith("@embedded-postgres/"))).toEqual([]);
  });
});
