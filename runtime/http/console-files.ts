/** The built files of the console: what its page loads, in memory once the first request asks for them. */
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { packageFolder } from "../config/package-folder.ts";
import { EngineError } from "../values/errors.ts";

export interface ConsoleFile {
  readonly text: string;
  readonly gzip: Buffer;
  /** A media type. */
  readonly type: string;
}

export interface ConsoleFiles {
  /** Names of the files that the page loads first. */
  readonly first: { readonly script: string; readonly style: string; readonly preload: readonly string[] };
  /** A hash of all of them. */
  readonly version: string;
  /** By name. Nothing else is served: names of requests never become paths. */
  readonly files: ReadonlyMap<string, ConsoleFile>;
}

const mediaTypes: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

const manifest = z.object({
  script: z.string(),
  style: z.string(),
  preload: z.array(z.string()),
  version: z.string(),
});

/**
 * @param folder that `--console-assets-dir` names; `null`: that of the package
 * @throws EngineError `not-found` when the console is not there
 */
export async function readConsoleFiles(folder: string | null): Promise<ConsoleFiles> {
  const from = folder ?? fileURLToPath(new URL(".build/console", packageFolder()));
  try {
    const { version, ...first } = manifest.parse(JSON.parse(await readFile(join(from, "console.json"), "utf8")));
    const names = (await readdir(from)).filter((name) => Object.hasOwn(mediaTypes, extname(name)));
    return { first, version, files: new Map(await Promise.all(names.map((name) => readConsoleFile(from, name)))) };
  } catch {
    const where = folder === null ? "the package: run `npm run build`" : "the folder of `--console-assets-dir`";
    throw new EngineError("not-found", "$", `the console is not built in ${where}`, { status: 404 });
  }
}

async function readConsoleFile(folder: string, name: string): Promise<readonly [string, ConsoleFile]> {
  const [text, gzip] = await Promise.all([readFile(join(folder, name), "utf8"), readFile(join(folder, `${name}.gz`))]);
  return [name, { text, gzip, type: mediaTypes[extname(name)] ?? "text/plain" }];
}
