/** Pages that the sources cite exist in this repository. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** The one page that may name the external specification of conformance cases. */
const exceptions = "test/conformance/exceptions.md";

const files = execFileSync("git", ["ls-files", "compiler", "runtime", "test", "docs", ".ci", "*.md"], { cwd: root })
  .toString()
  .split("\n")
  .filter((file) => /\.(tsx?|mjs|md)$/.test(file) && file !== exceptions && existsSync(join(root, file)))
  .filter((file) => !file.startsWith("test/golden/"));

/** Returns the pages that a text names in a comment or paragraph, with a lower-case name in backticks. */
const pagesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`((?:[\w.-]+\/)*[a-z][\w-]*\.md)`/g)].map(([, page]) => page ?? "");

describe("Citations", () => {
  it("Every page that a source file or page names is in the repository", () => {
    const missing = files.flatMap((file) =>
      pagesIn(readFileSync(join(root, file), "utf8"))
        .filter((page) => !existsSync(join(root, page)) && !existsSync(join(root, dirname(file), page)))
        .map((page) => `${file}: ${page}`),
    );
    expect(missing).toEqual([]);
  });

  it("No source file cites a numbered ruling", () => {
    const citing = files.filter((file) => /\bruling \d/i.test(readFileSync(join(root, file), "utf8")));
    expect(citing.filter((file) => file !== "test/architecture/citations.test.ts")).toEqual([]);
  });
});
