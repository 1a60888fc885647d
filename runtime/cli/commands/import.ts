/** `engine import`: a project of the engine that this one is a twin of → one of ours, and a report of what was done. */
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { storeMetadata } from "../../../compiler/catalog/canonical.ts";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import type { Json, Source } from "../../../compiler/catalog/model.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { type Finding, findingLines } from "../import/findings.ts";
import { type PeerFile, type PeerProject, readPeerProject } from "../import/peer-project.ts";
import { translateMetadata } from "../import/translate-metadata.ts";
import { foreignNamesInSeed, translateSql } from "../import/translate-sql.ts";
import { InvalidFiles, writeMetadata } from "../metadata/metadata-files.ts";
import { readMetadataDirectory } from "../metadata-directory/read.ts";
import { yamlText } from "../metadata-directory/yaml-text.ts";
import { diagnosticText } from "../problem-text.ts";
import { configFileName } from "../project/config-file.ts";
import { printProblems, printResult } from "../project/output.ts";

export interface ImportOptions {
  readonly out: string;
}

/** Resolves to 0, also when something is left to do by hand: the report says what. */
export async function importCommand(path: string, { out }: ImportOptions): Promise<number> {
  try {
    const project = await readPeerProject(path);
    const findings = [
      ...project.leftOut,
      ...(await importMetadata(project, path, out)),
      ...(await importFiles(project.migrations, path, join(out, "migrations"), translateSql)),
      ...(await importFiles(project.seeds, path, join(out, "seeds"), keepRows)),
    ];
    await writeConfig(project, out);
    const lines = findingLines(findings);
    await write(join(out, "import.txt"), lines.map((line) => `${line}\n`).join(""));
    printResult(lines.map((line) => `${line}\n`).join(""));
    printResult(`wrote ${out}; the same report is in ${join(out, "import.txt")}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof InvalidFiles)) throw error;
    printProblems(error.problems);
    return 1;
  }
}

/** What `engine start` gives a project whose metadata knows one database only, and not its address. */
const defaultSource: Source = {
  name: "default",
  kind: "postgres",
  tables: [],
  functions: [],
  native_queries: [],
  stored_procedures: [],
  logical_models: [],
  configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
};

/** @throws InvalidFiles for metadata that is none */
async function importMetadata({ metadataPath }: PeerProject, root: string, out: string): Promise<readonly Finding[]> {
  if (metadataPath === undefined) return [];
  const { metadata: original, locate, warnings } = await readMetadataDirectory(metadataPath);
  const { document, at } = documentIn(original);
  const place = (jsonPath: string): string => {
    const found = locate(`${at}${jsonPath.slice(1)}`);
    return found === undefined ? jsonPath : `${relative(root, found.file) || found.file}:${found.line}`;
  };
  const { metadata, changes } = translateMetadata(document);
  const read = readMetadataDocument(metadata, { ...emptyCatalog, sources: [defaultSource] });
  if (!read.ok) throw new InvalidFiles([diagnosticText(read.error, place)]);
  await writeMetadata(join(out, "metadata"), storeMetadata(read.value));
  return [
    ...warnings.map(
      ({ file, line, message }): Finding => ({
        kind: "todo",
        place: `${relative(root, file) || file}:${line}`,
        message,
      }),
    ),
    ...changes.map(({ kind, path, message }) => ({ kind, place: place(path), message })),
  ];
}

/** What the other engine's console saves has the version of the resource around it. */
function documentIn(read: Json): { readonly document: Json; readonly at: string } {
  if (!isObject<Json>(read) || read.resource_version === undefined || !isObject<Json>(read.metadata)) {
    return { document: read, at: "$" };
  }
  return { document: read.metadata, at: "$.metadata" };
}

type TranslateFile = (sql: string, place: string) => { readonly sql: string; readonly findings: readonly Finding[] };

const keepRows: TranslateFile = (sql, place) => ({ sql, findings: foreignNamesInSeed(sql, place) });

async function importFiles(
  files: readonly PeerFile[],
  root: string,
  out: string,
  translate: TranslateFile,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { path, target } of files) {
    if (!/\.(sql|yaml)$/.test(target)) {
      findings.push({ kind: "todo", place: relative(root, path), message: "is no SQL, and not carried over" });
      continue;
    }
    const { sql, findings: found } = translate(await readFile(path, "utf8"), relative(root, path));
    findings.push(...found);
    await write(join(out, target), sql);
  }
  return findings;
}

/** A file of the name that is there already is the user's, or that of an earlier import. */
async function writeConfig({ endpoint }: PeerProject, out: string): Promise<void> {
  const path = join(out, configFileName);
  if ((await stat(path).catch(() => undefined)) !== undefined) return;
  await write(path, yamlText({ version: 3, endpoint: endpoint ?? "http://localhost:8080" }));
}

async function write(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError("unwritable", "$", `cannot write ${path}: ${reason}`, { cause: error });
  }
}
