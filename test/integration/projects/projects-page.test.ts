/** The instructions of `docs/how-to/projects.md` are carried out: its commands print the output that the page shows. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../../support/command-line.ts";
import { startTestServer } from "../../support/server.ts";
import { temporaryDirectory } from "../../unit/metadata-directory/temporary-directory.ts";

const page = await readFile(join(import.meta.dirname, "../../../docs/how-to/projects.md"), "utf8");

/** Returns the blocks of the page in one language, in order. */
const blocks = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, text = ""]) => text);

const words = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

it("The commands of the projects page print the shown output", async () => {
  const server = await startTestServer();
  const folder = await temporaryDirectory();
  const project = join(folder, "shop");
  /** Versions in the output, which are timestamps, with the versions shown on the page. */
  const times = new Map<string, string>();
  const asOnPage = (text: string): string =>
    [...times].reduce((changed, [made, shown]) => changed.replaceAll(made, shown), text).replaceAll(`${project}/`, "");
  const asMade = (text: string): string =>
    [...times].reduce((changed, [made, shown]) => changed.replaceAll(shown, made), text);

  const runBlock = async (block: string): Promise<void> => {
    for (const step of block.split(/^\$ /m).slice(1)) {
      const [line = "", ...shown] = step.trimEnd().split("\n");
      if (line.startsWith("cd ")) continue;
      const [, ...args] = words(asMade(line));
      const place = args[0] === "init" ? ["--endpoint", server.url] : ["--project", project];
      const { code, stdout, stderr } = await runCommand(
        ...args.map((word) => (word === "shop" ? project : word)),
        ...place,
      );
      expect([line, code, stderr]).toEqual([line, 0, ""]);
      if (args[0] === "init") continue;
      const [expected = ""] = shown;
      const time = /(?:^|\/)(\d{13})/;
      const [made, onPage] = [time.exec(stdout)?.[1], time.exec(expected)?.[1]];
      if (args[1] !== "status" && made !== undefined && onPage !== undefined) times.set(made, onPage);
      expect(asOnPage(stdout)).toBe(shown.map((each) => `${each}\n`).join(""));
    }
  };

  try {
    const [first = "", create = "", seed = "", deploy = ""] = blocks("console");
    for (const block of [first, create, seed]) await runBlock(block);
    await writeFile(join(project, "metadata/databases/default/tables/tables.yaml"), blocks("yaml")[0] ?? "");
    const [file = ""] = await readdir(join(project, "seeds/default"));
    await writeFile(join(project, "seeds/default", file), blocks("sql")[0] ?? "");
    await runBlock(deploy);
    expect(await server.graphql("{ note { id text } }", { "x-engine-role": "user" })).toEqual({
      data: { note: [{ id: 1, text: "first" }] },
    });
  } finally {
    await server.close();
  }
});
