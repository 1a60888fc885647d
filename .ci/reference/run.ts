/**
 * `npm run reference`: writes the generated pages of the reference. `test/unit/reference.test.ts` fails when a page
 * differs from its module.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ReferencePage } from "./page.ts";
import { commandLinePage } from "./pages/command-line.ts";
import { compilationPicture } from "./pages/compilation-picture.ts";
import { errorsPage } from "./pages/errors.ts";
import { generatedFilesPage } from "./pages/generated-files.ts";
import { graphqlApiPage } from "./pages/graphql-api.ts";
import { httpPage } from "./pages/http.ts";
import { logTypesPage } from "./pages/log-types.ts";
import { metadataFilesPage } from "./pages/metadata-files.ts";
import { metricsPage } from "./pages/metrics.ts";
import { operationPages } from "./pages/operations.ts";
import { optionsPage } from "./pages/options.ts";
import { permissionsPage } from "./pages/permissions.ts";
import { schemaPages } from "./pages/schemas.ts";
import { templatesPage } from "./pages/templates.ts";

export const pages: readonly ReferencePage[] = [
  ...operationPages,
  metadataFilesPage,
  permissionsPage,
  ...schemaPages,
  commandLinePage,
  compilationPicture,
  errorsPage,
  generatedFilesPage,
  graphqlApiPage,
  httpPage,
  logTypesPage,
  metricsPage,
  optionsPage,
  templatesPage,
];

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Writes all pages below a folder. */
async function writePages(folder: string): Promise<void> {
  for (const { path, render } of pages) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await render());
    console.log(path);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writePages(root);
