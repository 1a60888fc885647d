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
    define: {
      "process.env.NODE_ENV": '"production"',
      "globalThis.process": "undefined",
      ...latestChanges(root),
    },
    logLevel: "warning",
    plugins: [pageStyles],
  });
  copyFileSync(`${root}runtime/console/icon.svg`, `${outdir}/icon.svg`);
  writeFileSync(`${outdir}/console.json`, `${JSON.stringify(describe(metafile), null, 2)}\n`);
  for (const name of readdirSync(outdir).filter((each) => /\.(?:js|css|svg)$/.test(each))) {
    writeFileSync(`${outdir}/${name}.gz`, gzipSync(readFileSync(`${outdir}/${name}`), { level: 9 }));
  }
}

/** Returns the text of the changes of this version, for the dialog that shows them, and its hash. */
function latestChanges(root) {
  const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  const [, ...sections] = readFileSync(`${root}CHANGELOG.md`, "utf8").split(/^(?=## )/m);
  // Sections begin with the newest version. Unreleased changes come before the first released section.
  const own = sections.findIndex((section) => section.startsWith(`## [${version}]`));
  const text = sections.slice(0, Math.max(0, own) + 1).join("");
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return { changesText: JSON.stringify(text), changesHash: JSON.stringify(hash) };
}

/**
 * Turns a style sheet that a script imports into a script that adds it to the document. Pages thus load their styles with
 * themselves, and the first page has only its own.
 */
const pageStyles = {
  name: "page-styles",
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /\.css$/ }, async ({ path, kind, importer, resolveDir }) => {
      if (kind !== "import-statement") return undefined;
      const found = await resolve(path, { kind: "import-rule", importer, resolveDir });
      return { ...found, namespace: "page-style", sideEffects: true };
    });
    onLoad({ filter: /.*/, namespace: "page-style" }, async ({ path }) => {
      const { outputFiles } = await build({ entryPoints: [path], bundle: true, minify: true, write: false });
      const text = JSON.stringify(outputFiles[0].text.trim());
      const contents = `const sheet = new CSSStyleSheet(); sheet.replaceSync(${text}); document.adoptedStyleSheets.push(sheet);`;
      return { contents, watchFiles: [path] };
    });
  },
};

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
