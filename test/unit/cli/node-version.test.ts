/** The version of Node that the command `engine` requires. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { versionCheckCode, versionProblem } from "../../../runtime/cli/node-version.ts";
import { ensureBuilt, root } from "../../support/shared-checks.ts";

describe("The required version of Node", () => {
  it.each(["20.19.0", "20.19.43", "20.20.1", "22.0.0", "24.11.1", "26.12.1", "100.0.0"])(
    "Node %s is accepted",
    (version) => {
      expect(versionProblem(version)).toBeNull();
    },
  );

  it.each(["12.22.12", "16.20.2", "18.20.8", "19.9.0", "20.18.3", "20.9.0"])("Node %s is too old", (version) => {
    expect(versionProblem(version)).toBe(
      `Node ${version} is too old: engine requires Node 20.19 or newer; install Node 24 from https://nodejs.org, or with \`nvm install 24\``,
    );
  });

  it("The required version is the one in package.json", async () => {
    const { engines } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    const [, version = ""] = /^>=(\d+\.\d+)$/.exec(engines.node) ?? [];
    const [major, minor] = version.split(".").map(Number);
    expect(versionProblem(`${version}.0`)).toBeNull();
    expect(versionProblem(`${major}.${Number(minor) - 1}.0`)).toContain(`requires Node ${version} or newer`);
  });

  it.each([
    ["18.20.8", "program"],
    ["18.20.8", "library"],
    ["20.18.3", "program"],
  ] as const)("A module built by the engine refuses Node %s as a %s with the same sentence", (node, use) => {
    const ended = runCheck(node, use);
    expect(ended).toBe(use === "program" ? `error: ${versionProblem(node)}; exit 1` : versionProblem(node));
  });

  it.each(["20.19.0", "22.1.0", "24.0.0"])("A module built by the engine runs on Node %s", (node) => {
    expect(runCheck(node, "program")).toBeNull();
    expect(runCheck(node, "library")).toBeNull();
  });

  it("Node 18 can load the modules of an artifact, so that their check of the version runs", async () => {
    await ensureBuilt();
    const seen = new Set(["sealed.mjs", "sealed-library.mjs", "sealed-workers.mjs", "support.mjs"]);
    const names = new Set<string>();
    for (const file of seen) {
      const text = await readFile(join(root, ".build", file), "utf8");
      for (const [, list = ""] of text.matchAll(/\bimport(?: ?\w+,)? ?\{([^}]*)\} ?from ?"node:\w+"/g)) {
        for (const each of list.split(",")) names.add(each.trim().split(" as ")[0] ?? "");
      }
      for (const [, name = ""] of text.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+)"/g)) seen.add(name);
    }
    expect(names.size).toBeGreaterThan(20);
    // Exports that Node 18 lacks: linking would fail before the check.
    const newer = [
      "crc32",
      "duplexPair",
      "hash",
      "parseEnv",
      "getBuiltinModule",
      "styleText",
      "zstdCompress",
      "sqlite",
    ];
    expect(newer.filter((name) => names.has(name))).toEqual([]);
  });

  it("Node 12 can parse the entry of the command and its static imports", async () => {
    await ensureBuilt();
    const seen = new Set(["engine.mjs"]);
    let size = 0;
    for (const file of seen) {
      const text = await readFile(join(root, ".build", file), "utf8");
      size += text.length;
      const [old, current] = await Promise.all(
        ["node12.22", "esnext"].map(async (target) => (await transform(text, { target, loader: "js" })).code),
      );
      expect(old).toBe(current);
      for (const [, name = ""] of text.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+)"/g)) seen.add(name);
    }
    // The program itself is loaded after the check.
    expect(size).toBeLessThan(20_000);
  });
});

/** Runs the check of a built module with another version; returns the reason of its end, `null` if it continues. */
function runCheck(node: string, use: "program" | "library"): string | null {
  const printed: string[] = [];
  const exit = (code: number) => printed.push(`exit ${code}`);
  const run = new Function("process", "console", versionCheckCode(use));
  try {
    run({ versions: { node }, exit }, { error: (text: string) => printed.push(text) });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return printed.length === 0 ? null : printed.join("; ");
}
