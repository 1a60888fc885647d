/** The pages of the documentation, as the server sends them. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { docsFiles, docsResponse } from "../../../runtime/http/docs.ts";
import { EngineError } from "../../../runtime/values/errors.ts";
import { ensureBuilt } from "../../support/shared-checks.ts";
import { type StubApp, send, startStubApp } from "../../support/stub-app.ts";

describe("The documentation of a server with a console", () => {
  let served: StubApp;

  beforeAll(async () => {
    await ensureBuilt();
    served = await startStubApp({ ENGINE_GRAPHQL_ENABLE_CONSOLE: "true" });
  }, 180_000);
  afterAll(() => served?.app.close());

  const get = (path: string) => send(served.url, { path });

  it("The address without a slash redirects to the index, relative to a proxy's prefix", async () => {
    const { status, headers } = await get("/docs");
    expect([status, headers.location]).toEqual([302, "./docs/"]);
  });

  it.each([
    ["/docs/", "text/html; charset=utf-8", /<h1>Engine documentation<\/h1>/],
    ["/docs/index.html", "text/html; charset=utf-8", /<h1>Engine documentation<\/h1>/],
    ["/docs/tutorial/start.html", "text/html; charset=utf-8", /<h1>Start<\/h1>/],
    ["/docs/assets/icon.svg", "image/svg+xml", /^<svg/],
    ["/docs/tutorial/start.html.md", "text/markdown; charset=utf-8", /^# Start\n/],
    ["/docs/llms.txt", "text/plain; charset=utf-8", /^# Engine documentation\n/],
    ["/docs/llms-full.txt", "text/plain; charset=utf-8", /^# Start$/m],
  ])("The file %s has the media type %s", async (path, type, text) => {
    const { status, headers, body } = await get(path);
    expect([status, headers["content-type"], headers["cache-control"]]).toEqual([200, type, "no-cache"]);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(body).toMatch(text);
  });

  it("Clients that accept gzip receive the compressed file", async () => {
    const headers = { "accept-encoding": "gzip, identity;q=0" };
    const packed = await fetch(`${served.url}/docs/llms.txt`, { headers });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(await packed.text()).toBe((await get("/docs/llms.txt")).body);
  });

  it("Browsers cache scripts and styles without expiry", async () => {
    const { body } = await get("/docs/");
    const assets = [...body.matchAll(/(?:src|href)="(assets\/[^"]+\.(js|css))"/g)];
    expect(assets.length).toBe(4);
    for (const [, path, kind] of assets) {
      const { status, headers } = await get(`/docs/${path}`);
      const type = `${kind === "js" ? "text/javascript" : "text/css"}; charset=utf-8`;
      expect([status, headers["content-type"]]).toEqual([200, type]);
      expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    }
  });

  it("The policy of pages allows only their own files and forbids inline code, requests and framing", async () => {
    const { headers } = await get("/docs/tutorial/start.html");
    const policy = String(headers["content-security-policy"]).split("; ");
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "frame-ancestors 'none'",
        "trusted-types 'none'",
      ]),
    );
    expect(policy.join()).not.toMatch(/unsafe|https?:|\*|nonce|connect-src/);
  });

  it.each([
    "../package.json",
    "../engine.mjs",
    "..%2fengine.mjs",
    "%2e%2e/engine.mjs",
    "assets/../../engine.mjs",
    "./index.html",
    "/index.html",
    "..\\engine.mjs",
    "index.html%00.txt",
    "how-to",
    "how-to/",
    "__proto__",
    "internals/terms.html",
    "tutorial/start.md",
    "tutorial/start.html.gz",
  ])("A path that names no file of the documentation is not found: %s", async (name) => {
    const { status, body } = await get(`/docs/${name}`);
    expect([status, JSON.parse(body)]).toEqual([404, expect.objectContaining({ code: "not-found" })]);
  });
});

describe("Servers without a console", () => {
  it.each(["/docs", "/docs/", "/docs/index.html"])("A server without a console returns 404 at %s", async (path) => {
    const closed = await startStubApp({ ENGINE_GRAPHQL_ENABLE_CONSOLE: "false" });
    try {
      expect((await send(closed.url + path)).status).toBe(404);
    } finally {
      await closed.app.close();
    }
  });
});

describe("The folder of the documentation", () => {
  let parent: string;

  const writeCompressed = (name: string, text: string): Promise<void> =>
    writeFile(join(parent, `${name}.gz`), gzipSync(text));

  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), "docs-"));
    await writeCompressed("secret.txt", "not for browsers");
  });
  afterAll(() => rm(parent, { recursive: true }));

  it("A missing folder is reported, and its files are served once it exists", async () => {
    const files = docsFiles(join(parent, "site"));
    await expect(docsResponse(files, "/docs/")).rejects.toThrow("npm run docs");
    await mkdir(join(parent, "site/how-to"), { recursive: true });
    await writeCompressed("site/index.html", "index");
    await writeCompressed("site/how-to/a.html", "page");
    expect(await docsResponse(files, "/docs/")).toMatchObject({ status: 200, body: "index" });
    expect(await docsResponse(files, "/docs/how-to/a.html")).toMatchObject({ status: 200, body: "page" });
  });

  it("Files above the folder and of other types are not served", async () => {
    await mkdir(join(parent, "other"));
    await writeCompressed("other/page.html", "page");
    await writeCompressed("other/notes.mdx", "not for browsers");
    const files = docsFiles(join(parent, "other"));
    await writeFile(join(parent, "other/plain.html"), "not for browsers");
    for (const name of [
      "notes.mdx",
      "plain.html",
      "../secret.txt",
      "page.html/../../secret.txt",
      "../other/page.html",
    ]) {
      await expect(docsResponse(files, `/docs/${name}`)).rejects.toThrow(EngineError);
    }
  });

  it("A file that was deleted while the server runs is not found", async () => {
    await mkdir(join(parent, "gone"));
    await writeCompressed("gone/page.html", "page");
    const files = docsFiles(join(parent, "gone"));
    expect((await docsResponse(files, "/docs/page.html")).status).toBe(200);
    await rm(join(parent, "gone/page.html.gz"));
    await expect(docsResponse(files, "/docs/page.html")).rejects.toMatchObject({ status: 404 });
  });
});
