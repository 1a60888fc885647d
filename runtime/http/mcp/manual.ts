/** The pages of the manual in Markdown, from the file that `npm run docs` writes for language models. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { packageFolder } from "../../config/package-folder.ts";

const fromGzip = promisify(gunzip);

interface ManualPage {
  readonly title: string;
  readonly text: string;
}

/** Returns the pages by path, such as `how-to/permissions`; none if the manual is not built. */
export type Manual = () => Promise<ReadonlyMap<string, ManualPage>>;

/**
 * Returns a function that reads the pages on its first call.
 * @param file by default the one in the package
 */
export function builtManual(file?: string): Manual {
  let pages: Promise<ReadonlyMap<string, ManualPage>> | undefined;
  return () => {
    pages ??= readPages(file ?? fileURLToPath(new URL(".build/docs/llms-full.txt.gz", packageFolder())));
    return pages;
  };
}

async function readPages(file: string): Promise<ReadonlyMap<string, ManualPage>> {
  const gzip = await readFile(file).catch(() => undefined);
  return gzip === undefined ? new Map() : pagesIn((await fromGzip(gzip)).toString("utf8"));
}

/** Splits the joined text of the pages at the comments with their paths. */
function pagesIn(text: string): ReadonlyMap<string, ManualPage> {
  const parts = text.split(/^<!-- (\S+)\.html -->$/m);
  const pages = new Map<string, ManualPage>();
  for (let i = 1; i + 1 < parts.length; i += 2) {
    const [path = "", body = ""] = parts.slice(i, i + 2);
    const [, title = path] = /^# (.+)$/m.exec(body) ?? [];
    pages.set(path, { title, text: body.trim() });
  }
  return pages;
}
