/** An Analysis → the files of an artifact: the same bytes from the same input, wherever and whenever. */
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

/** `manifest.json` of an artifact: that of its generated modules, and what the artifact is made of. */
export interface ArtifactManifest extends Manifest {
  /** Version of the product. */
  readonly product: string;
  /** Hashes of the generated files, by path. */
  readonly modules: Manifest["files"];
  readonly serves: {
    /** Only saved operations run. */
    readonly closed: boolean;
    readonly roles: readonly string[];
    /** Kinds of the sources, by name. */
    readonly sources: Readonly<Record<string, string>>;
    readonly restEndpoints: readonly string[];
  };
  /** Code that sets options, sessions and hooks, with all that it imports; absent: there is none. */
  readonly config?: { readonly file: string; readonly hash: string };
  /** Places of the metadata that hold secrets, and not names of environment variables: the artifact is to be kept. */
  readonly literalSecrets?: readonly string[];
}

export async function artifactFiles(input: ArtifactInput): Promise<OutputFiles> {
  const { analysis, program, planned, closed, config, files: metadata } = input;
  const generated = new Map(planned.paths().map((path) => [path, planned.module(path).text]));
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
  // The schema of a role lets any of its operations run.
  const library = closed ? null : await bundleArtifact("library", bundled);
  const secrets = literalSecrets(metadata.document);
  const openApi = generated.get(openApiPath);
  const files = new Map([
    ["server.mjs", server.code],
    ["server.mjs.map", server.map],
    ["workers.mjs", workers.code],
    ...(library === null ? [] : await libraryFiles(library)),
    ["bom.json", await billOfMaterials([...server.sources, ...workers.sources, ...(library?.sources ?? [])])],
    [accessPath, accessText(accessOfProgram(input))],
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
    },
    ...(config && { config: { file: config.file, hash: fileHash(config.code) } }),
    ...(secrets.length > 0 && { literalSecrets: secrets }),
    modules,
    files: Object.fromEntries([...files].map(([path, text]) => [path, fileHash(text)])),
  };
  return new Map([...files, [artifactManifestPath, `${JSON.stringify(manifest, null, 2)}\n`]]);
}

/** What programs import, with its types. */
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

/** Who may do what with it, for people and for `engine diff`: the server does not read it. */
export const accessPath = "access.json";

interface BillOfMaterials {
  /** References are folders in node_modules, then `@` and the version. */
  readonly components: readonly { readonly "bom-ref": string }[];
}

/** The part of the package's bill of materials, made when it was bundled, that these files belong to. */
async function billOfMaterials(sources: readonly string[]): Promise<string> {
  const whole: BillOfMaterials = JSON.parse(await readFile(new URL(".build/bom.json", packageFolder()), "utf8"));
  const components = whole.components.filter(({ "bom-ref": reference }) => {
    const folder = reference.replace(/@[^@]*$/, "/");
    return sources.some((source) => source.includes(folder));
  });
  return `${JSON.stringify({ ...whole, components }, null, 2)}\n`;
}
