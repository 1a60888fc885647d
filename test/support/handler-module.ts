/** The generated module of a golden case of `engine handlers`, as a program loads it. */
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type * as Shop from "../golden/handlers/shop/expected/generated.ts";
import { root } from "./shared-checks.ts";

type Texts = Readonly<Record<string, string>>;

/** Loads the case `shop`, with other contents of the user's files. */
export const loadShop = (files: Texts = {}): Promise<typeof Shop> => loadHandlers<typeof Shop>("shop", files);

/** @typeParam Module the generated module of the case */
export async function loadHandlers<Module>(name: string, files: Texts = {}): Promise<Module> {
  const folder = await mkdtemp(join(tmpdir(), "handlers-"));
  try {
    await cp(join(root, "test/golden/handlers", name, "expected"), folder, { recursive: true });
    for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
    const outfile = join(folder, "handlers.mjs");
    await build({
      absWorkingDir: folder,
      entryPoints: ["generated.ts"],
      nodePaths: [join(root, "node_modules")],
      ...{
        bundle: true,
        format: "esm",
        platform: "neutral",
        target: "es2022",
        mainFields: ["module", "main"],
        outfile,
      },
    });
    return (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as Module;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
