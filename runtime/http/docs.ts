/**
 * `/docs`: the pages of the documentation, which `npm run docs` writes. They are the same for every server and contain
 * no data of it.
 */
import { readdir, readFile } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { packageFolder } from "../config/package-folder.ts";
import type { PlainResponse } from "../ports/request.ts";
import { EngineError } from "../values/errors.ts";
import { pageHeaders } from "./page-headers.ts";
import { anonymous } from "./responses.ts";

const fromGzip = promisify(gunzip);

/** The files of the site, which are compressed. Requests are looked up in this list; their paths never reach the file system. */
interface DocsFiles {
  readonly folder: string;
  /** Paths with slashes, relative to the folder, without the extension `.gz`. */
  readonly paths: ReadonlySet<string>;
}

const mediaTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

/**
 * Returns a function that lists the files on its first call and retries after a failure.
 * @param folder by default the one in the package
 */
export function docsFiles(folder?: string): () => Promise<DocsFiles> {
  let listing: Promise<DocsFiles> | undefined;
  return () => {
    listing ??= listFiles(folder ?? fileURLToPath(new URL(".build/docs", packageFolder()))).catch((error: unknown) => {
      listing = undefined; // The pages may be built while the server runs.
      throw error;
    });
    return listing;
  };
}

/** @throws EngineError `not-found` if the pages have not been built */
async function listFiles(folder: string): Promise<DocsFiles> {
  try {
    const names = await readdir(folder, { recursive: true });
    const plain = names.filter((name) => name.endsWith(".gz")).map((name) => name.slice(0, -".gz".length));
    const served = plain.filter((name) => Object.hasOwn(mediaTypes, extname(name)));
    return { folder, paths: new Set(served.map((name) => name.replaceAll(sep, "/"))) };
  } catch {
    const message = "the documentation is not built in the package: run `npm run docs`";
    throw new EngineError("not-found", "$", message, { status: 404 });
  }
}

const docsPath = "/docs";

/** Paths of the routes. */
export const docsPaths: readonly string[] = [docsPath, `${docsPath}/*`];

export const isDocsPath = (path: string): boolean => path === docsPath || path.startsWith(`${docsPath}/`);

/**
 * Returns the response for a path below `/docs`.
 * @throws EngineError `not-found`
 */
export async function docsResponse(files: () => Promise<DocsFiles>, path: string): Promise<PlainResponse> {
  if (path === docsPath) return toIndex;
  const name = path.slice(docsPath.length + 1) || "index.html";
  const { folder, paths } = await files();
  const gzip = paths.has(name) ? await readFile(join(folder, `${name}.gz`)).catch(() => undefined) : undefined;
  if (gzip === undefined) throw new EngineError("not-found", "$", "resource does not exist", { status: 404 });
  const body = (await fromGzip(gzip)).toString("utf8");
  const headers = { ...fileHeaders, "content-type": mediaTypes[extname(name)] ?? "text/plain", ...cacheOf(name) };
  return { status: 200, headers, body, gzip, record: anonymous };
}

/** The location is relative, because a proxy may add a path prefix. */
const toIndex: PlainResponse = { status: 302, headers: { location: "./docs/" }, body: "", record: anonymous };

const fileHeaders = { ...pageHeaders(), "cross-origin-resource-policy": "same-origin" };

/** Names of scripts and styles contain a hash of the content. */
function cacheOf(name: string): Readonly<Record<string, string>> {
  const isHashed = /^assets\/\w+-\w+\.(?:js|css)$/.test(name);
  return { "cache-control": isHashed ? "public, max-age=31536000, immutable" : "no-cache" };
}
