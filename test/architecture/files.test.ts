/** `npm run files`: finds source files by words of their descriptions. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const script = join(import.meta.dirname, "../../.ci/files.mjs");

function files(...words: readonly string[]): { readonly lines: readonly string[]; readonly error: string } {
  const { stdout, stderr } = spawnSync(process.execPath, [script, ...words], { encoding: "utf8" });
  return { lines: stdout.split("\n").filter((line) => line !== ""), error: stderr };
}

describe("Descriptions of files", () => {
  it("Every source file has a description", () => {
    const { lines } = files();
    expect(lines.length).toBeGreaterThan(1000);
    expect(lines.filter((line) => !/^\S+: \S+ \S/.test(line))).toEqual([]);
  });

  it("Words select the files whose path, description or exports contain all of them", () => {
    expect(files("Cross-Site", "cookie").lines).toContainEqual(
      expect.stringMatching(/^runtime\/http\/auth\/foreign-cookie\.ts: /),
    );
    // No description has this word.
    expect(files("audience").lines).toContainEqual(
      expect.stringMatching(/^runtime\/http\/auth\/jwt\/token-verifier\.ts: /),
    );
    expect(files("no-such-Word")).toEqual({
      lines: [],
      error: "no file contains: no-such-word\n",
    });
  });
});
