/**
 * `/console`: the page with its configuration, and the files that it loads. The page holds no data:
 * all that it shows comes from the HTTP APIs, with the credentials that the user types in.
 */
import { randomBytes } from "node:crypto";
import { hasAdminSecret } from "../config/admin-secrets.ts";
import type { Handler, PlainResponse } from "../ports/request.ts";
import type { RequestServices } from "../ports/services.ts";
import { EngineError } from "../values/errors.ts";
import type { ConfigSettings } from "./config.ts";
import { type ConsoleFile, type ConsoleFiles, readConsoleFiles } from "./console-files.ts";
import type { Route } from "./request-routes.ts";
import { anonymous, errorResponse } from "./responses.ts";

const pagePath = "/console";
const assetsPath = `${pagePath}/assets/`;

export function consoleRoutes(services: RequestServices, settings: ConfigSettings): readonly Route[] {
  const files = consoleFiles(settings.consoleAssetsDirectory);
  const orError =
    (answer: (found: ConsoleFiles, path: string) => PlainResponse): Handler =>
    async (request) => {
      try {
        return answer(await files(), request.path);
      } catch (thrown) {
        return errorResponse(thrown instanceof EngineError ? thrown : services.reportBug(thrown, request.requestId));
      }
    };
  const about: ConsoleConfiguration = {
    consoleMode: "server",
    isAdminSecretSet: hasAdminSecret(settings),
    serverVersion: `v${settings.version}`,
    enabledApis: [...settings.enabledApis],
  };
  const page = orError((found, path) => pageResponse(found, path, about));
  return [
    { method: "GET", path: "/", handler: () => Promise.resolve(toConsole) },
    { method: "GET", path: pagePath, handler: page },
    { method: "GET", path: `${pagePath}/*`, handler: page },
    { method: "GET", path: `${assetsPath}*`, handler: orError(assetResponse) },
  ];
}

/**
 * What a path of the console answers; `undefined` for paths of others.
 * @param about what of the page's configuration is of this server
 * @throws EngineError `not-found`
 */
export async function consoleResponse(
  files: () => Promise<ConsoleFiles>,
  path: string,
  about: ConsoleConfiguration,
): Promise<PlainResponse | undefined> {
  if (path === "/") return toConsole;
  if (path.startsWith(assetsPath)) return assetResponse(await files(), path);
  return path === pagePath || path.startsWith(`${pagePath}/`) ? pageResponse(await files(), path, about) : undefined;
}

/** Reads the files when they are first asked for, and again if they were not there. */
export function consoleFiles(folder: string | null): () => Promise<ConsoleFiles> {
  let reading: Promise<ConsoleFiles> | undefined;
  return () => {
    reading ??= readConsoleFiles(folder).catch((error: unknown) => {
      reading = undefined; // They may be built meanwhile.
      throw error;
    });
    return reading;
  };
}

/** What differs from server to server. */
export interface ConsoleConfiguration {
  /** `cli`: `engine console` serves the page, and a project's files with it. */
  readonly consoleMode: "server" | "cli";
  readonly isAdminSecretSet: boolean;
  /** `v1.2.3` */
  readonly serverVersion: string;
  readonly enabledApis: readonly string[];
}

/** Relative: the server may stand behind a path of another one. */
const toConsole: PlainResponse = { status: 302, headers: { location: "./console" }, body: "", record: anonymous };

/** Names hold a hash of the content. */
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

function pageResponse(files: ConsoleFiles, path: string, about: ConsoleConfiguration): PlainResponse {
  // Editors write their style sheets at run time.
  const styleNonce = randomBytes(16).toString("base64url");
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": contentSecurityPolicy(styleNonce),
      "cache-control": "no-store",
      "cross-origin-opener-policy": "same-origin",
      "permissions-policy": "camera=(), geolocation=(), microphone=()",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
    body: pageText(files, path, configurationOf(files, about, styleNonce)),
    record: anonymous,
  };
}

/** No code and no style but the console's own files, no request to another host, no frame around it. */
function contentSecurityPolicy(styleNonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${styleNonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

/** What is the same for every server: files come from it, and nothing is ever reported to anybody. */
const fixedConfiguration: readonly (readonly [name: string, value: unknown])[] = [
  ["consoleType", "engine"],
  ["consoleId", null],
  ["urlPrefix", pagePath],
  ["assetsPath", assetsPath.slice(0, -1)],
  ["cdnAssets", false],
  ["enableTelemetry", false],
];

function configurationOf({ version }: ConsoleFiles, about: ConsoleConfiguration, styleNonce: string): unknown {
  return { ...Object.fromEntries(fixedConfiguration), ...about, assetsVersion: version, styleNonce };
}

/** Addresses are relative to the page's own, so that a path in front of the server needs no setting. */
function pageText({ first }: ConsoleFiles, path: string, configuration: unknown): string {
  const depth = path.split("/").length - 2;
  const assets = depth === 0 ? "console/assets/" : `${"../".repeat(depth - 1)}assets/`;
  const preload = first.preload.map((name) => `<link rel="modulepreload" href="${assets}${name}">`);
  // Nothing in the text can end the element.
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
<div id="console"><noscript>The console needs JavaScript. Everything that it does can be done by HTTP as well.</noscript></div>
</body>
</html>
`;
}
