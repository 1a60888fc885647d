/** The generated module of a golden case of `engine handlers`, as a program loads it. */
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type * as Shop from "../golden/handlers/shop/expected/generated.ts";
import { root } from "./shared-checks.ts";

/** The case `shop`, with other texts of the user's files. */
export async function loadShop(files: Readonly<Record<string, string>> = {}): Promise<typeof Shop> {
  const folder = await mkdtemp(join(tmpdir(), "shop-"));
  try {
    await cp(join(root, "test/golden/handlers/shop/expected"), folder, { recursive: true });
    for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
    const outfile = join(folder, "shop.mjs");
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
    return (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as typeof Shop;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
