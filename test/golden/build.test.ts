/**
 * Artifacts of `engine build`. A case is a folder with `metadata.yaml` for the database of the sample library and,
 * optionally, further arguments (`arguments.json`); `expected/` contains the printed output and the files of the artifact
 * that do not depend on bundled libraries. The manifest lists the names of the others.
 */
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { version } from "../../runtime/cli/version.ts";
import { engine } from "../support/artifact.ts";
import { compactJson } from "../support/compact-json.ts";
import { casesBelow, expectGolden } from "../support/golden.ts";
import { ensureBuilt, root as repository } from "../support/shared-checks.ts";

const root = join(import.meta.dirname, "build");
const shape = join(repository, "fixtures/library/shape.json");

/**
 * Files made of libraries, whose versions and sizes do not matter to a case, and files that are equal in all artifacts.
 */
const bundled = [
  "server.mjs",
  "server.mjs.map",
  "workers.mjs",
  "engine.mjs",
  "engine.d.mts",
  "handler.mjs",
  "config.d.mts",
  "handler.d.mts",
  "options.d.mts",
  "bom.json",
];

let folder: string;

beforeAll(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), "build-"));
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns the manifest without the parts that depend on versions of the product and of libraries. */
function masked(text: string): string {
  const manifest = JSON.parse(text);
  for (const file of bundled) if (file in manifest.files) manifest.files[file] = "(hash)";
  return `${JSON.stringify({ ...manifest, product: "(version)" }, null, 2).replaceAll(version, "(version)")}\n`;
}

async function artifactIn(out: string): Promise<readonly (readonly [string, string])[]> {
  if (!existsSync(out)) return [];
  const names = (await readdir(out)).filter((name) => !bundled.includes(name));
  return Promise.all(
    names.map(async (name): Promise<readonly [string, string]> => {
      const text = await readFile(join(out, name), "utf8");
      return [`artifact/${name}`, name === "manifest.json" ? masked(text) : compactJson(JSON.parse(text))];
    }),
  );
}

describe("The engine build command", async () => {
  it.each(await casesBelow(root, "metadata.yaml"))("engine build produces the golden files: %s", async (name) => {
    const given = join(root, name, "arguments.json");
    const args: readonly string[] = existsSync(given) ? JSON.parse(await readFile(given, "utf8")) : [];
    const out = join(folder, name);
    const input = ["--metadata", join(root, name, "metadata.yaml"), "--shape", shape, "--out", name];
    const { code, stdout, stderr } = await engine(["build", ...input, ...args], folder);
    const printed = `${stdout.replace(/\d+ KiB/, "(size)")}${stderr.replaceAll(join(root, name), "(folder)")}exit code ${code}\n`;
    await expectGolden(join(root, name, "expected"), new Map([["printed.txt", printed], ...(await artifactIn(out))]));
  });
});
