/**
 * Artifacts of `engine build`. A case is a folder with `metadata.yaml` for the database of the sample library and, if
 * there are any, further arguments (`arguments.json`); below `expected/` are what the command printed and the files of
 * the artifact that do not change with every library that it is bundled with: of the others, the manifest has names.
 */
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { version } from "../../runtime/cli/version.ts";
import { engine } from "../support/artifact.ts";
import { casesBelow, expectGolden } from "../support/golden.ts";
import { ensureBuilt, root as repository } from "../support/shared-checks.ts";

const root = join(import.meta.dirname, "build");
const shape = join(repository, "fixtures/library/shape.json");

/** Made of libraries, whose versions and sizes are none of a case's business, and what is the same in all artifacts. */
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

/** The manifest without what other versions of the product and of libraries have otherwise. */
function masked(text: string): string {
  const manifest = JSON.parse(text);
  for (const file of bundled) if (file in manifest.files) manifest.files[file] = "(hash)";
  return `${JSON.stringify({ ...manifest, product: "(version)" }, null, 2).replaceAll(version, "(version)")}\n`;
}

const pretty = (text: string): string => `${JSON.stringify(JSON.parse(text), null, 2)}\n`;

async function artifactIn(out: string): Promise<readonly (readonly [string, string])[]> {
  if (!existsSync(out)) return [];
  const names = (await readdir(out)).filter((name) => !bundled.includes(name));
  return Promise.all(
    names.map(async (name): Promise<readonly [string, string]> => {
      const text = await readFile(join(out, name), "utf8");
      return [`artifact/${name}`, name === "manifest.json" ? masked(text) : pretty(text)];
    }),
  );
}

describe("build", async () => {
  it.each(await casesBelow(root, "metadata.yaml"))("%s", async (name) => {
    const given = join(root, name, "arguments.json");
    const args: readonly string[] = existsSync(given) ? JSON.parse(await readFile(given, "utf8")) : [];
    const out = join(folder, name);
    const input = ["--metadata", join(root, name, "metadata.yaml"), "--shape", shape, "--out", name];
    const { code, stdout, stderr } = await engine(["build", ...input, ...args], folder);
    const printed = `${stdout.replace(/\d+ KiB/, "(size)")}${stderr.replaceAll(join(root, name), "(folder)")}exit code ${code}\n`;
    await expectGolden(join(root, name, "expected"), new Map([["printed.txt", printed], ...(await artifactIn(out))]));
  });
});
