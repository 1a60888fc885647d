/**
 * The examples of the README work for a new user: its requests are sent to the demo, and the files that it shows equal
 * the repository's.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { librarySample } from "../../runtime/cli/demo.ts";
import { bannerText } from "../../runtime/cli/start/banner.ts";
import { version } from "../../runtime/cli/version.ts";
import { parseOptions } from "../../runtime/config/options.ts";
import { createLog } from "../../runtime/observe/logs/log.ts";
import { type Server, startServer } from "../../runtime/server/live/start-server.ts";
import { warnOfSettings } from "../../runtime/server/parts/startup-warnings.ts";
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

describe("The README", () => {
  it("The README has at least three requests with responses", () => expect(examples.length).toBeGreaterThanOrEqual(3));

  it.each(examples)("The README's request returns the shown response: $command", async ({ command, answer }) => {
    const { path, init } = requestOf(command);
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
    expect(`${await response.text()}\n`).toBe(answer);
  });

  it("The README shows the banner of the demo", async () => {
    const options = parseOptions({}, {});
    const warnings = warnOfSettings(createLog(options, { write: () => undefined }), options, {}).all;
    const url = "postgres://engine:PASSWORD@127.0.0.1:5433/engine";
    const text = bannerText(
      {
        version,
        address: "http://localhost:8080",
        hasConsole: true,
        database: { url, isEmbedded: true, isMetadataOnly: false },
        isDemo: true,
        secretHeader: null,
        generatedSecret: undefined,
        warnings,
        seconds: 1.3,
      },
      { isColored: false, hasPsql: true },
    );
    const block = /(?<=<!-- banner of the demo -->\n```text\n)[\s\S]*?(?=```)/;
    const current = await readFile(join(root, "README.md"), "utf8");
    if (process.env.UPDATE_GOLDEN === "1") {
      await writeFile(
        join(root, "README.md"),
        current.replace(block, () => text.trimStart()),
      );
    } else expect(block.exec(current)?.[0]).toBe(text.trimStart());
  });

  it("The README shows files unchanged", async () => {
    const shown = [...readme.matchAll(/<!-- file: (\S+) -->\n(`{3,})(\w+)\n([\s\S]*?)\n\2(?=\n)/g)];
    expect(shown.length).toBeGreaterThan(2);
    const before = await readFile(join(root, "README.md"), "utf8");
    let updated = before;
    for (const [block, path = "", fence = "", language = "", text] of shown) {
      const file = await readFile(join(root, path), "utf8");
      if (process.env.UPDATE_GOLDEN === "1")
        updated = updated.replace(block, () => `<!-- file: ${path} -->\n${fence}${language}\n${file}${fence}`);
      else expect(`${text}\n`).toBe(file);
    }
    if (updated !== before) await writeFile(join(root, "README.md"), updated);
  });
});
