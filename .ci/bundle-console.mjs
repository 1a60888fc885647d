// Bundles the console for browsers: files named by a hash of their content, each also compressed, and
// `console.json`, which lists the files to load first. Every page of the console is a separate file.
import { createHash } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/**
 * Bundles the console.
 * @param root folder of the package, with a slash at the end
 * @param outdir output folder, created if missing
 */
export async function bundleConsole(root, outdir) {
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: { main: "runtime/console/main.tsx", style: "runtime/console/styles/index.css" },
    outdir,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    legalComments: "none",
    tsconfigRaw: {},
    alias: { graphql: "./node_modules/graphql/index.mjs" },
    define: { "process.env.NODE_ENV": '"production"', "globalThis.process": "undefined" },
    logLevel: "warning",
  });
  copyFileSync(`${root}runtime/console/icon.svg`, `${outdir}/icon.svg`);
  writeFileSync(`${outdir}/console.json`, `${JSON.stringify(describe(metafile), null, 2)}\n`);
  for (const name of readdirSync(outdir).filter((each) => /\.(?:js|css|svg)$/.test(each))) {
    writeFileSync(`${outdir}/${name}.gz`, gzipSync(readFileSync(`${outdir}/${name}`), { level: 9 }));
  }
}

function describe({ outputs }) {
  const [script, { imports }] = entry(outputs, "runtime/console/main.tsx");
  const [style] = entry(outputs, "runtime/console/styles/index.css");
  const preload = imports.flatMap(({ path, kind }) => (kind === "import-statement" ? [basename(path)] : []));
  const names = Object.keys(outputs).sort();
  const version = createHash("sha256").update(names.join("\n")).digest("hex").slice(0, 12);
  return { script: basename(script), style: basename(style), preload, version };
}

function entry(outputs, source) {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source);
  if (!found) throw new Error(`the bundle has no ${source}`);
  return found;
}
