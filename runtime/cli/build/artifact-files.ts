/** Builds the files of an artifact from an Analysis. Equal input gives equal bytes. */
import { readFile } from "node:fs/promises";
import type { Manifest } from "../../../compiler/4-emit/manifest.ts";
import { manifestPath } from "../../../compiler/4-emit/paths.ts";
import { accessText } from "../../../compiler/access/access-file.ts";
import { allDialects } from "../../../compiler/dialects/index.ts";
import { packageFolder } from "../../config/package-folder.ts";
import { accessOfProgram } from "../../control/access.ts";
import { artifactManifestPath, fileHash } from "../../server/sealed/verify.ts";
import type { OutputFiles } from "../compile/output-folder.ts";
import { version } from "../version.ts";
import { type Bundle, type BundleInput, bundleArtifact } from "./bundle.ts";
import { type ArtifactInput, entryFiles } from "./entry.ts";
import { literalSecrets } from "./literal-secrets.ts";

/** `manifest.json` of an artifact: the manifest of its generated modules, and the artifact's contents. */
export interface ArtifactManifest extends Manifest {
  /** Version of the engine. */
  readonly product: string;
  /** Hashes of the generated files, by path. */
  readonly modules: Manifest["files"];
  readonly serves: {
    /** True if only saved operations run. */
    readonly closed: boolean;
    readonly roles: readonly string[];
    /** Kinds of the sources, by name. */
    readonly sources: Readonly<Record<string, string>>;
    readonly restEndpoints: readonly string[];
    /** Tools for assistants; absent without tools. */
    readonly agentTools?: readonly string[];
  };
  /** `engine.config.ts` bundled with its imports, if the project has one. */
  readonly config?: { readonly file: string; readonly hash: string };
  /** JSONPaths of literal secrets in the metadata, which make the artifact confidential. */
  readonly literalSecrets?: readonly string[];
}

export async function artifactFiles(input: ArtifactInput): Promise<OutputFiles> {
  const { analysis, program, planned, closed, config, files: metadata } = input;
  const generated = new Map(planned.paths().map((path) => [path, planned.file(path).text]));
  const kinds = new Set<string>([...analysis.sources.values()].map(({ source }) => source.kind));
  const bundled: BundleInput = {
    files: new Map([...generated, ...entryFiles(input)]),
    unused: [
      ...allDialects.map(({ kind }) => kind).filter((kind) => !kinds.has(kind)),
      ...(analysis.catalog.opentelemetry === undefined ? ["export"] : []),
    ],
  };
  const server = await bundleArtifact("server", bundled);
  const workers = await bundleArtifact("workers", bundled);
  // The exported schema of a role would allow operations that are not saved.
  const library = closed ? null : await bundleArtifact("library", bundled);
  const secrets = literalSecrets(metadata.document);
  const openApi = generated.get(openApiPath);
  const files = new Map([
    ["server.mjs", server.code],
    ["server.mjs.map", server.map],
    ["workers.mjs", workers.code],
    ...(library === null ? [] : await libraryFiles(library)),
    ["bom.json", await billOfMaterials([...server.sources, ...workers.sources, ...(library?.sources ?? [])])],
    [accessPath, accessText(accessOfProgram(input, { hasTerms: true }))],
    ...(openApi === undefined ? [] : [[openApiPath, openApi] as const]),
  ]);
  const { files: modules, ...inputs } = JSON.parse(generated.get(manifestPath) ?? "") as Manifest;
  const manifest: ArtifactManifest = {
    ...inputs,
    product: version,
    serves: {
      closed,
      roles: program.roles(),
      sources: Object.fromEntries([...analysis.sources].map(([name, { source }]) => [name, source.kind])),
      restEndpoints: [...analysis.restEndpoints.keys()].sort(),
      ...(analysis.agentTools.size > 0 && { agentTools: [...analysis.agentTools.keys()].sort() }),
    },
    ...(config && { config: { file: config.file, hash: fileHash(config.code) } }),
    ...(secrets.length > 0 && { literalSecrets: secrets }),
    modules,
    files: Object.fromEntries([...files].map(([path, text]) => [path, fileHash(text)])),
  };
  return new Map([...files, [artifactManifestPath, `${JSON.stringify(manifest, null, 2)}\n`]]);
}

/** Returns the modules that host programs import, with their type declarations. */
async function libraryFiles({ code }: Bundle): Promise<readonly (readonly [string, string])[]> {
  const typesOf = (name: string) =>
    readFile(new URL(`runtime/server/embedding/${name}.d.mts`, packageFolder()), "utf8");
  return [
    ["engine.mjs", code],
    ["engine.d.mts", await typesOf("engine")],
    ["config.d.mts", await typesOf("config")],
    ["options.d.mts", await typesOf("options")],
    [
      "handler.mjs",
      'import { createHandler } from "./engine.mjs";\n\nexport { createHandler };\nexport const { fetch, listener, upgrade, close } = createHandler({});\n',
    ],
    ["handler.d.mts", await typesOf("handler")],
  ];
}

const openApiPath = "openapi.json";

/** Permissions by role, for readers, `engine diff` and `engine why`. The server does not read this file. */
export const accessPath = "access.json";

interface BillOfMaterials {
  /** A reference is a folder in node_modules, followed by `@` and the version. */
  readonly components: readonly { readonly "bom-ref": string }[];
}

/** Returns the components of the package's bill of materials from which `sources` come. */
async function billOfMaterials(sources: readonly string[]): Promise<string> {
  const whole: BillOfMaterials = JSON.parse(await readFile(new URL(".build/bom.json", packageFolder()), "utf8"));
  const components = whole.components.filter(({ "bom-ref": reference }) => {
    const folder = reference.replace(/@[^@]*$/, "/");
    return sources.some((source) => source.includes(folder));
  });
  return `${JSON.stringify({ ...whole, components }, null, 2)}\n`;
}
