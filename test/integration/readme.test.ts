/**
 * The examples of the README, and of the pages about the sample library, work for a new user: their requests are sent to the
 * demo, and the files that they show equal the repository's.
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
import { root } from "../support/shared-checks.ts";

const tour = "docs/tutorial/demo.md";
const textOf = (page: string): Promise<string> => readFile(join(root, page), "utf8");

/** Each request of a page, with the page. */
const examples = (
  await Promise.all(
    ["README.md", tour].map(async (page) => examplesOf(await textOf(page)).map((example) => ({ page, ...example }))),
  )
).flat();

/** The pages that show files of the repository, with the number of whole files and of excerpts. */
const showing = [
  { page: "README.md", files: 0, excerpts: 2 },
  { page: "docs/how-to/reviewing-changes.md", files: 1, excerpts: 0 },
  { page: "docs/explanation/compilation.md", files: 2, excerpts: 4 },
  { page: "docs/explanation/permissions.md", files: 0, excerpts: 2 },
];

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

describe("The README and the tour of the sample library", () => {
  it("The README has a request with its response, and the tour has three", () => {
    expect(examples.map(({ page }) => page)).toEqual(["README.md", tour, tour, tour]);
  });

  it.each(examples)("The request of $page returns the shown response: $command", async ({ command, answer }) => {
    const { path, init } = requestOf(command);
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
    expect(`${await response.text()}\n`).toBe(answer);
  });

  it("The README has the commands that start the demo, run the tests and check a submission", async () => {
    const readme = await textOf("README.md");
    const before = readme.split("```sh\nnpm ci\nnpm start -- --demo\n```");
    expect(before).toHaveLength(2);
    // One screen precedes the first command.
    expect(before[0]?.split("\n").length).toBeLessThan(50);
    expect(readme).toContain("`npm test`");
    expect(readme).toContain("`.ci/run`");
  });

  it("The tour shows the banner of the demo", async () => {
    const options = parseOptions({}, {});
    const warnings = warnOfSettings(createLog(options, { write: () => undefined }), options, {}).all;
    const url = "postgres://engine:PASSWORD@127.0.0.1:5433/engine";
    const text = bannerText(
      {
        version,
        address: "http://localhost:8080",
        hasConsole: true,
        database: { url, isEmbedded: true, isMetadataOnly: false, command: "engine psql" },
        isDemo: true,
        secretHeader: null,
        generatedSecret: undefined,
        warnings,
        seconds: 1.3,
      },
      { isColored: false, hasPsql: true },
    );
    const block = /(?<=<!-- banner of the demo -->\n```text\n)[\s\S]*?(?=```)/;
    const current = await textOf(tour);
    if (process.env.UPDATE_GOLDEN === "1") {
      const updated = current.replace(block, () => text.trimStart());
      await writeFile(join(root, tour), updated);
    } else expect(block.exec(current)?.[0]).toBe(text.trimStart());
  });
});

describe("Files on pages", () => {
  it.each(showing)("$page shows files unchanged", async ({ page, files }) => {
    const before = await textOf(page);
    const shown = [...before.matchAll(/<!-- file: (\S+) -->\n(`{3,})(\w+)\n([\s\S]*?)\n\2(?=\n)/g)];
    expect(shown).toHaveLength(files);
    let updated = before;
    for (const [block, path = "", fence = "", language = "", text] of shown) {
      const file = await textOf(path);
      if (process.env.UPDATE_GOLDEN === "1")
        updated = updated.replace(block, () => `<!-- file: ${path} -->\n${fence}${language}\n${file}${fence}`);
      else expect(`${text}\n`).toBe(file);
    }
    if (updated !== before) await writeFile(join(root, page), updated);
  });

  it.each(showing)("The excerpts of $page occur in their files, in order", async ({ page, excerpts }) => {
    const shown = [...(await textOf(page)).matchAll(/<!-- excerpt: (\S+) -->\n```\w+\n([\s\S]*?)```\n/g)];
    expect(shown).toHaveLength(excerpts);
    for (const [, path = "", text = ""] of shown) {
      const file = await textOf(path);
      let end = 0;
      // Lines of an ellipsis, in a comment or alone, stand for omitted lines.
      for (const part of text.split(/^ *(?:\/\/ |# )?…\n/m)) {
        const start = file.indexOf(part, end);
        expect([path, part, start >= 0]).toEqual([path, part, true]);
        end = start + part.length;
      }
    }
  });
});
