/**
 * `/console`: the page with its configuration, and its files. The page contains no data; it reads everything through the
 * HTTP APIs, with the credentials that the user enters. The documentation at `/docs` is served beside it.
 */

import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { hasAdminSecret } from "../config/admin-secrets.ts";
import { packageFolder } from "../config/package-folder.ts";
import type { Handler, PlainResponse } from "../ports/request.ts";
import type { RequestServices } from "../ports/services.ts";
import { EngineError } from "../values/errors.ts";
import type { ConfigSettings } from "./config.ts";
import { docsFiles, docsPaths, docsResponse, isDocsPath } from "./docs.ts";
import { pageHeaders } from "./page-headers.ts";
import type { Route } from "./request-routes.ts";
import { anonymous, errorResponse } from "./responses.ts";

// The built files of the console, loaded into memory by the first request.

interface ConsoleFile {
  readonly text: string;
  readonly gzip: Buffer;
  /** The media type. */
  readonly type: string;
}

interface ConsoleFiles {
  /** The names of the files that the page itself refers to. */
  readonly first: { readonly script: string; readonly style: string; readonly preload: readonly string[] };
  /** A hash of all files. */
  readonly version: string;
  /** The files by name. Requests are served from this map; their paths never reach the file system. */
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
 * Reads the files.
 * @param folder the value of `--console-assets-dir`; `null` for the folder in the package
 * @throws EngineError `not-found` if the console has not been built
 */
async function readConsoleFiles(folder: string | null): Promise<ConsoleFiles> {
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

const pagePath = "/console";
const assetsPath = `${pagePath}/assets/`;

export function consoleRoutes(services: RequestServices, settings: ConfigSettings): readonly Route[] {
  const files = consoleFiles(settings.consoleAssetsDirectory);
  const orError =
    (respond: (path: string) => Promise<PlainResponse>): Handler =>
    async (request) => {
      try {
        return await respond(request.path);
      } catch (thrown) {
        return errorResponse(thrown instanceof EngineError ? thrown : services.reportBug(thrown, request.requestId));
      }
    };
  const settingsOfServer: ConsoleConfiguration = {
    consoleMode: "server",
    isAdminSecretSet: hasAdminSecret(settings),
    serverVersion: `v${settings.version}`,
    enabledApis: [...settings.enabledApis],
    label: settings.consoleLabel,
    color: settings.consoleColor,
    projectServer: null,
  };
  const page = orError(async (path) => pageResponse(await files(), path, settingsOfServer));
  const docs = docsFiles();
  const documentation = orError((path) => docsResponse(docs, path));
  return [
    { method: "GET", path: "/", handler: () => Promise.resolve(toConsole) },
    { method: "GET", path: pagePath, handler: page },
    { method: "GET", path: `${pagePath}/*`, handler: page },
    { method: "GET", path: `${assetsPath}*`, handler: orError(async (path) => assetResponse(await files(), path)) },
    ...docsPaths.map((path) => ({ method: "GET", path, handler: documentation }) as const),
  ];
}

/** The built files that a console needs. */
interface ConsoleSite {
  readonly files: ReturnType<typeof consoleFiles>;
  readonly docs: ReturnType<typeof docsFiles>;
}

/** The files in the package. */
export const consoleSite = (): ConsoleSite => ({ files: consoleFiles(null), docs: docsFiles() });

/**
 * Returns the response for a path of the console or of the documentation; `undefined` for other paths.
 * @param settingsOfServer the part of the page's configuration that depends on the server
 * @throws EngineError `not-found`
 */
export async function consoleResponse(
  { files, docs }: ConsoleSite,
  path: string,
  settingsOfServer: ConsoleConfiguration,
): Promise<PlainResponse | undefined> {
  if (path === "/") return toConsole;
  if (isDocsPath(path)) return docsResponse(docs, path);
  if (path.startsWith(assetsPath)) return assetResponse(await files(), path);
  return path === pagePath || path.startsWith(`${pagePath}/`)
    ? pageResponse(await files(), path, settingsOfServer)
    : undefined;
}

/** Returns a function that reads the files on its first call and retries after a failure. */
function consoleFiles(folder: string | null): () => Promise<ConsoleFiles> {
  let reading: Promise<ConsoleFiles> | undefined;
  return () => {
    reading ??= readConsoleFiles(folder).catch((error: unknown) => {
      reading = undefined; // The console may be built while the server runs.
      throw error;
    });
    return reading;
  };
}

/** The part of the page's configuration that depends on the server. */
export interface ConsoleConfiguration {
  /** `cli` if `engine console` serves the page and the files of a project. */
  readonly consoleMode: "server" | "cli";
  readonly isAdminSecretSet: boolean;
  /** `v1.2.3` */
  readonly serverVersion: string;
  readonly enabledApis: readonly string[];
  /** Name of the environment (`--console-label`); `null` for none. */
  readonly label: string | null;
  /** Name of the label's color (`--console-color`). */
  readonly color: string;
  /** Address of the server of the project; `null` if the server itself serves the page. */
  readonly projectServer: string | null;
}

/** The location is relative, because a proxy may add a path prefix. */
const toConsole: PlainResponse = { status: 302, headers: { location: "./console" }, body: "", record: anonymous };

/** Files never change, because their names contain a hash of the content. */
const assetHeaders = {
  "cache-control": "public, max-age=31536000, immutable",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};

function assetResponse({ files }: ConsoleFiles, path: string): PlainResponse {
  const file: ConsoleFile | undefined = files.get(path.slice(assetsPath.length));
  if (!file) throw new EngineError("not-found", "$", "resource does not exist", { status: 404 });
  const { text, gzip, type } = file;
  return { status: 200, headers: { ...assetHeaders, "content-type": type }, body: text, gzip, record: anonymous };
}

function pageResponse(files: ConsoleFiles, path: string, settingsOfServer: ConsoleConfiguration): PlainResponse {
  // The page's editors insert style sheets at run time, which need the nonce.
  const styleNonce = randomBytes(16).toString("base64url");
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      ...pageHeaders({ styles: `'nonce-${styleNonce}'`, pictures: "data:", requests: "'self'" }),
    },
    body: pageText(files, path, configurationOf(files, settingsOfServer, styleNonce)),
    record: anonymous,
  };
}

/** The part of the page's configuration that is the same for every server. */
const fixedConfiguration: readonly (readonly [name: string, value: unknown])[] = [
  ["consoleType", "engine"],
  ["consoleId", null],
  ["urlPrefix", pagePath],
  ["assetsPath", assetsPath.slice(0, -1)],
  ["cdnAssets", false],
  ["enableTelemetry", false],
];

function configurationOf(
  { version }: ConsoleFiles,
  settingsOfServer: ConsoleConfiguration,
  styleNonce: string,
): unknown {
  return { ...Object.fromEntries(fixedConfiguration), ...settingsOfServer, assetsVersion: version, styleNonce };
}

/** Returns the HTML of the page. Addresses are relative to the page, so that a proxy's path prefix needs no setting. */
function pageText({ first }: ConsoleFiles, path: string, configuration: unknown): string {
  const depth = path.split("/").length - 2;
  const assets = depth === 0 ? "console/assets/" : `${"../".repeat(depth - 1)}assets/`;
  const preload = first.preload.map((name) => `<link rel="modulepreload" href="${assets}${name}">`);
  // Prevents the text from closing the script element.
  const json = JSON.stringify(configuration).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Console</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${assets}icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assets}${first.style}">
${preload.join("\n")}
<script type="application/json" id="configuration">${json}</script>
<script type="module" src="${assets}${first.script}"></script>
</head>
<body>
<div id="console"><noscript>The console requires JavaScript. All of its features are also available through the HTTP API.</noscript></div>
</body>
</html>
`;
}
