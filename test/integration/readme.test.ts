/** What the README shows is what a newcomer gets: its requests are sent to the demo, its files are those of the tree. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { librarySample } from "../../runtime/cli/demo.ts";
import { version } from "../../runtime/cli/version.ts";
import { parseOptions } from "../../runtime/config/options.ts";
import { createLog } from "../../runtime/observe/logs/log.ts";
import { type Server, startServer } from "../../runtime/server/live/start-server.ts";
import { examplesOf, requestOf } from "../support/curl.ts";

const root = join(import.meta.dirname, "../..");
const readme = await readFile(join(root, "README.md"), "utf8");

const examples = examplesOf(readme);

let server: Server;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "engine-readme-"));
  const options = parseOptions({ dataDir: join(folder, "data"), serverPort: "0", serverHost: "127.0.0.1" }, {});
  server = await startServer({
    options,
    environment: {},
    log: createLog(options, { write: () => undefined }),
    version,
    sample: librarySample,
  });
});

afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

describe("README", () => {
  it("has requests with their answers", () => expect(examples.length).toBeGreaterThanOrEqual(3));

  it.each(examples)("$command", async ({ command, answer }) => {
    const { path, init } = requestOf(command);
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
    expect(`${await response.text()}\n`).toBe(answer);
  });

  it("shows files as they are", async () => {
    const shown = [...readme.matchAll(/<!-- file: (\S+) -->\n(`{3,})(\w+)\n([\s\S]*?)\n\2(?=\n)/g)];
    expect(shown.length).toBeGreaterThan(2);
    let updated = readme;
    for (const [block, path = "", fence = "", language = "", text] of shown) {
      const file = await readFile(join(root, path), "utf8");
      if (process.env.UPDATE_GOLDEN === "1")
        updated = updated.replace(block, () => `<!-- file: ${path} -->\n${fence}${language}\n${file}${fence}`);
      else expect(`${text}\n`).toBe(file);
    }
    if (updated !== readme) await writeFile(join(root, "README.md"), updated);
  });
});
