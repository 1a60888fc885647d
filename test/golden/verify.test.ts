/**
 * The output of `engine verify` for artifacts that were modified, and the responses of their servers. A case is a file
 * below `verify/`, named for the modification of the artifact.
 */
import { appendFile, cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { engine, refusedArtifact } from "../support/artifact.ts";
import { expectGolden } from "../support/golden.ts";
import { ensureBuilt, root as repository } from "../support/shared-checks.ts";

const root = join(import.meta.dirname, "verify");

type Tampering = (artifact: string) => Promise<void>;

async function changeManifest(artifact: string, change: (text: string) => string): Promise<void> {
  const file = join(artifact, "manifest.json");
  await writeFile(file, change(await readFile(file, "utf8")));
}

const tamperings: Readonly<Record<string, Tampering | undefined>> = {
  nothing: undefined,
  "code-changed": (artifact) => appendFile(join(artifact, "server.mjs"), "// more\n"),
  "access-changed": (artifact) => writeFile(join(artifact, "access.json"), "{}"),
  "files-missing": async (artifact) => {
    await rm(join(artifact, "bom.json"));
    await rm(join(artifact, "server.mjs.map"));
  },
  "code-changed-and-file-missing": async (artifact) => {
    await appendFile(join(artifact, "server.mjs"), "// more\n");
    await rm(join(artifact, "bom.json"));
  },
  "file-added": (artifact) => writeFile(join(artifact, "package.json"), '{"type": "module"}'),
  "folder-added": async (artifact) => {
    await mkdir(join(artifact, "node_modules/bufferutil"), { recursive: true });
    await writeFile(join(artifact, "node_modules/bufferutil/index.js"), "");
  },
  "empty-folder-added": (artifact) => mkdir(join(artifact, "data")),
  "links-added": async (artifact) => {
    await symlink("server.mjs", join(artifact, "start.mjs"));
    await symlink("/nowhere", join(artifact, ".env"));
  },
  "file-replaced-by-a-link": async (artifact) => {
    await rename(join(artifact, "access.json"), `${artifact}.access.json`);
    await symlink(`${artifact}.access.json`, join(artifact, "access.json"));
  },
  "file-replaced-by-a-folder": async (artifact) => {
    await rm(join(artifact, "access.json"));
    await mkdir(join(artifact, "access.json"));
  },
  "manifest-replaced-by-a-link": async (artifact) => {
    await rename(join(artifact, "manifest.json"), `${artifact}.manifest.json`);
    await symlink(`${artifact}.manifest.json`, join(artifact, "manifest.json"));
  },
  "hash-changed": (artifact) =>
    changeManifest(artifact, (text) => text.replace(/("access.json": ")./, (_, before) => `${before}-`)),
  "manifest-missing": (artifact) => rm(join(artifact, "manifest.json")),
  "manifest-of-something-else": (artifact) => changeManifest(artifact, () => '{"files": {}}'),
  "manifest-no-json": (artifact) => changeManifest(artifact, (text) => text.slice(0, -5)),
};

let folder: string;

beforeAll(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), "verify-"));
  const metadata = join(import.meta.dirname, "build/open/metadata.yaml");
  const shape = join(repository, "fixtures/library/shape.json");
  await engine(["build", "--metadata", metadata, "--shape", shape, "--out", "artifact"], folder);
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/**
 * @param tamper modifies the artifact; if absent, the artifact is verified as built and not served
 */
async function outputOf(tamper: Tampering | undefined): Promise<string> {
  const changed = join(folder, "changed");
  await cp(join(folder, "artifact"), changed, { recursive: true });
  await tamper?.(changed);
  const plain = (text: string) => text.replaceAll(`${folder}/`, "");
  const [verified, served] = await Promise.all([
    engine(["verify", "changed"], folder),
    tamper && refusedArtifact(changed, { environment: {} }),
  ]);
  const lines = [
    `$ engine verify changed`,
    `${plain(verified.stdout + verified.stderr)}exit code ${verified.code}`,
    "",
  ];
  if (served !== undefined) {
    lines.push(`$ node changed/server.mjs`, `${plain(served.stdout + served.stderr)}exit code ${served.code}`, "");
  }
  await rm(changed, { recursive: true });
  return lines.join("\n");
}

describe("The engine verify command", () => {
  it("engine verify reports each tampered file", async () => {
    const files = new Map<string, string>();
    for (const [name, tamper] of Object.entries(tamperings)) files.set(`${name}.txt`, await outputOf(tamper));
    await expectGolden(root, files);
  }, 60_000);
});
