// Writes the package with which `npm create graphql-rest-engine` creates a project: `engine init` as one file, with the
// templates and without dependencies.
// Usage: node .ci/create-package.mjs FOLDER
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { inBundle, refuseUnbundled } from "./bundle-inside.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const [, , given] = process.argv;
if (given === undefined) throw new Error("usage: node .ci/create-package.mjs FOLDER");
const folder = resolve(given);
const {
  name: engine,
  version,
  license,
  repository,
  engines,
  publishConfig,
} = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
const name = `create-${engine}`;

mkdirSync(folder, { recursive: true });
const { metafile } = await build({
  metafile: true,
  absWorkingDir: root,
  stdin: {
    resolveDir: root,
    loader: "ts",
    contents: `#!/usr/bin/env node
      import { initProgram } from "./runtime/cli/commands/init-program.ts";
      import { commandFailure } from "./runtime/cli/failure.ts";
      try {
        await initProgram(${JSON.stringify(name)}).parseAsync();
      } catch (error) {
        console.error(commandFailure(error));
        process.exitCode = 1;
      }`,
  },
  outfile: join(folder, "create.mjs"),
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  legalComments: "none",
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  ...inBundle,
});
refuseUnbundled(metafile, []);
cpSync(join(root, "fixtures/templates"), join(folder, "fixtures/templates"), { recursive: true });
const description = `Creates a project of ${engine}`;
const bin = { [name]: "create.mjs" };
const files = ["create.mjs", "fixtures"];
// npm publishes with provenance only from the repository that the package names.
const origin = { ...(repository && { repository }), publishConfig };
const manifest = { name, version, description, license, ...origin, type: "module", engines, bin, files };
writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
writeFileSync(join(folder, "README.md"), `# ${name}\n\n\`\`\`sh\nnpm create ${engine} my-app\n\`\`\`\n`);
cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
