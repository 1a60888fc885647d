import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtManual } from "../../../../runtime/http/mcp/manual.ts";
import { modern, stubMcp } from "../../../support/mcp.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "manual-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("The manual as resources", () => {
  it("Each page of the built manual is a resource, and its path is never a path of a file", async () => {
    const file = join(folder, "llms-full.txt.gz");
    const pages = "<!-- tutorial/start.html -->\n# Start\n\nText.\n<!-- how-to/x.html -->\n# X\n";
    await writeFile(file, gzipSync(pages));
    const mcp = stubMcp([], {}, { manual: builtManual(file) });
    const { resources } = (await mcp.send(modern("resources/list"))).json.result;
    expect(resources.map(({ uri, title }: { uri: string; title: string }) => [uri, title])).toEqual([
      ["engine:///manual/how-to/x.md", "X"],
      ["engine:///manual/tutorial/start.md", "Start"],
      ["engine:///schema.graphql", "GraphQL schema of the role"],
    ]);
    const read = (uri: string) => mcp.send(modern("resources/read", { uri }));
    expect((await read("engine:///manual/tutorial/start.md")).json.result.contents).toEqual([
      { uri: "engine:///manual/tutorial/start.md", mimeType: "text/markdown", text: "# Start\n\nText." },
    ]);
    for (const path of ["../llms-full", "__proto__", "tutorial/start.html", ""]) {
      expect((await read(`engine:///manual/${path}.md`)).json.error.code).toBe(-32602);
    }
  });

  it("A package without a built manual has no pages", async () => {
    expect(await builtManual(join(folder, "missing.gz"))()).toEqual(new Map());
  });
});
