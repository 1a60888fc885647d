/** A registry on this machine with the product and its dependencies, for installations by npm without a network. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./shared-checks.ts";

const run = promisify(execFile);

interface Locked {
  readonly version: string;
  readonly dev?: boolean;
}

export interface PackageRegistry {
  /** Variables of npm, which select this registry and an empty cache. */
  readonly environment: Readonly<Record<string, string>>;
  /** Variables that select a registry without packages. */
  readonly empty: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Packs the product as built, without running its scripts, and serves it with the locked packages of `node_modules`. */
export async function startPackageRegistry(): Promise<PackageRegistry> {
  const folder = await mkdtemp(join(tmpdir(), "engine-registry-"));
  const own: Locked & { readonly name: string } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: root });
  const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
    await readFile(join(root, "package-lock.json"), "utf8"),
  );
  const server = createServer(async ({ url = "" }, response) => {
    const [name = "", isTarball] = decodeURIComponent(url.slice(1)).split("/-/");
    const locked = name === own.name ? own : lock.packages[`node_modules/${name}`];
    if (locked === undefined || locked.dev) {
      response.writeHead(404).end("{}");
    } else if (isTarball === undefined) {
      const { port } = server.address() as AddressInfo;
      const version = { ...locked, name, dist: { tarball: `http://127.0.0.1:${port}/${name}/-/package.tgz` } };
      const tags = { latest: locked.version };
      response.end(JSON.stringify({ name, "dist-tags": tags, versions: { [locked.version]: version } }));
    } else if (name === own.name) {
      response.end(await readFile(join(folder, `${name}-${locked.version}.tgz`)));
    } else {
      const packed = ["--create", "--use-compress-program=gzip -1", "--transform=s,^[.],package,", "."];
      const tar = spawn("tar", packed, { cwd: join(root, "node_modules", name), stdio: ["ignore", "pipe", "inherit"] });
      tar.stdout.pipe(response);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const registry = `http://127.0.0.1:${port}/`;
  return {
    environment: {
      npm_config_registry: registry,
      npm_config_cache: join(folder, "cache"),
      npm_config_userconfig: join(folder, "npmrc"),
      npm_config_audit: "false",
      npm_config_fund: "false",
      npm_config_update_notifier: "false",
    },
    empty: {
      npm_config_registry: `${registry}empty/`,
      // A publication requires a credential, even a simulated one.
      [`npm_config_//127.0.0.1:${port}/empty/:_authToken`]: "none",
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the path of npm's or npx's script, which this version of Node can run. */
export function npmScript(name: "npm" | "npx"): string {
  const found = (process.env.PATH ?? "").split(":").find((folder) => existsSync(join(folder, name)));
  if (found === undefined) throw new Error(`${name} is not in PATH`);
  return join(found, name);
}
