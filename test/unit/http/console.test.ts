/** The page of the console and its files, as the server sends them. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type StubApp, send, startStubApp } from "../../support/stub-app.ts";

let folder: string;
let served: StubApp;

const script = "console.log('<hello>')";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "console-"));
  const first = { script: "main-1.js", style: "style-1.css", preload: ["chunk-1.js"] };
  await writeFile(join(folder, "console.json"), JSON.stringify({ ...first, version: "abc" }));
  await writeFile(join(folder, "secret.txt"), "not for browsers");
  const files = { "main-1.js": script, "style-1.css": "body {}", "chunk-1.js": "", "icon.svg": "<svg/>" };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text);
    await writeFile(join(folder, `${name}.gz`), gzipSync(text));
  }
  served = await startStubApp({ ENGINE_GRAPHQL_ENABLE_CONSOLE: "true", ENGINE_GRAPHQL_CONSOLE_ASSETS_DIR: folder });
});

afterAll(async () => {
  await served.app.close();
  await rm(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) => send(served.url + path, { headers });

describe("The console page", () => {
  it.each(["/console", "/console/", "/console/data/default/public/a%2Fb"])(
    "The console page is served at %s",
    async (path) => {
      const { status, headers, body } = await get(path);
      expect(status).toBe(200);
      expect(headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(headers["cache-control"]).toBe("no-store");
      const [, source] = /<script type="module" src="([^"]+)"/.exec(body) ?? [];
      expect(new URL(source ?? "", served.url + path).pathname).toBe("/console/assets/main-1.js");
    },
  );

  it("The root path redirects to the console", async () => {
    const { status, headers } = await get("/");
    expect([status, headers.location]).toEqual([302, "./console"]);
  });

  it("The console page describes the server and contains no secret", async () => {
    const secret = "a secret <of> mine";
    const locked = await startStubApp({
      ENGINE_GRAPHQL_ENABLE_CONSOLE: "true",
      ENGINE_GRAPHQL_CONSOLE_ASSETS_DIR: folder,
      ENGINE_GRAPHQL_ADMIN_SECRET: secret,
    });
    try {
      const { body } = await send(`${locked.url}/console`);
      const [, json] = /id="configuration">(.*?)<\/script>/.exec(body) ?? [];
      expect(JSON.parse(json ?? "")).toMatchObject({
        consoleMode: "server",
        urlPrefix: "/console",
        isAdminSecretSet: true,
        serverVersion: "v1.2.3",
        assetsPath: "/console/assets",
        assetsVersion: "abc",
        cdnAssets: false,
        enableTelemetry: false,
        consoleType: "engine",
        consoleId: null,
      });
      expect(body).not.toContain("secret <of> mine");
    } finally {
      await locked.app.close();
    }
  });

  it("The console page's policy allows only its own files and forbids inline code and framing", async () => {
    const [one, other] = await Promise.all([get("/console"), get("/console")]);
    const policy = String(one.headers["content-security-policy"]).split("; ");
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(policy.join()).not.toMatch(/unsafe|https?:|\*/);
    expect(other.headers["content-security-policy"]).not.toBe(one.headers["content-security-policy"]);
    expect(one.body).not.toMatch(/<script(?![^>]*(?:src=|type="application\/json"))/);
    expect(one.body).not.toMatch(/\son\w+=|https?:\/\//);
  });
});

describe("Files of the console", () => {
  it("Console files are cached by browsers without expiry and served precompressed", async () => {
    const plain = await get("/console/assets/main-1.js");
    expect(plain.body).toBe(script);
    expect(plain.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    });
    const packed = await fetch(`${served.url}/console/assets/main-1.js`, {
      headers: { "accept-encoding": "gzip, identity;q=0" },
    });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(await packed.text()).toBe(script);
  });

  it.each([
    "secret.txt",
    "console.json",
    "main-1.js.gz",
    "../console.json",
    "..%2fsecret.txt",
    "%2e%2e/%2e%2e/etc/passwd",
    "__proto__",
    "",
  ])("The console serves no other file of its folder: %s", async (name) => {
    const { status, body } = await send(served.url, { path: `/console/assets/${name}` });
    expect(status).toBe(404);
    expect(body).not.toContain("not for browsers");
  });
});

describe("Servers without a console", () => {
  it.each(["/", "/console", "/console/assets/main-1.js"])(
    "A server without a console returns 404 at %s",
    async (path) => {
      const closed = await startStubApp({ ENGINE_GRAPHQL_ENABLE_CONSOLE: "false" });
      try {
        expect((await send(closed.url + path)).status).toBe(404);
      } finally {
        await closed.app.close();
      }
    },
  );

  it("A server whose console files are missing names the option for their folder", async () => {
    const empty = await startStubApp({
      ENGINE_GRAPHQL_ENABLE_CONSOLE: "true",
      ENGINE_GRAPHQL_CONSOLE_ASSETS_DIR: join(folder, "nothing"),
    });
    try {
      const { status, body } = await send(`${empty.url}/console`);
      expect(status).toBe(404);
      expect(body).toContain("--console-assets-dir");
    } finally {
      await empty.app.close();
    }
  });
});
