/** `engine import`: converts a project of the original engine, and reports the changes. */

import { mkdir, readFile, realpath, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { storeMetadata } from "../../../compiler/catalog/canonical.ts";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import type { Json, Source } from "../../../compiler/catalog/model.ts";
import { unreadMembers, unreadText } from "../../../compiler/catalog/unread-members.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { yamlText } from "../../metadata-text/yaml-text.ts";
import { EngineError, pathTo } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { messageOf } from "../../values/message-of.ts";
import { descriptionFindings } from "../import/descriptions.ts";
import { type Finding, findingLines } from "../import/findings.ts";
import {
  foreignNamesInSeed,
  type LegacyMigration,
  readLegacyMigration,
  translateSql,
} from "../import/legacy-migration.ts";
import { withoutUnsupportedDatabases } from "../import/other-databases.ts";
import { type PeerFile, type PeerProject, readPeerProject } from "../import/peer-project.ts";
import { type MetadataChange, type TranslatedMetadata, translateMetadata } from "../import/translate-metadata.ts";
import { InvalidFiles } from "../invalid-files.ts";
import { writeMetadata } from "../metadata/metadata-files.ts";
import { configFileName } from "../metadata-directory/layout.ts";
import { readMetadataDirectory } from "../metadata-directory/read.ts";
import { diagnosticProblem } from "../problem.ts";
import { type EnforcedSection, enforcedSections } from "../project/choices.ts";
import { folded, printProblems, printRemark, printResult, printSteps } from "../project/output.ts";

export interface ImportOptions {
  readonly out: string;
  readonly leaveOut?: readonly EnforcedSection[];
}

/** Resolves to 0, even if the report lists manual steps. */
export async function importCommand(path: string, { out, leaveOut = [] }: ImportOptions): Promise<number> {
  try {
    await refuseSameFolder(path, out);
    const project = await readPeerProject(path);
    const findings = [
      ...project.leftOut,
      ...(await importMetadata(project, path, { out, leaveOut })),
      ...(await importFiles(project.migrations, path, join(out, "migrations"), translateSql)),
      ...(await descriptionFindings(project, path)),
      ...(await importFiles(project.seeds, path, join(out, "seeds"), keepRows)),
    ];
    await writeConfig(project, out);
    const lines = findingLines(findings);
    await write(join(out, "import.txt"), lines.map((line) => `${line}\n`).join(""));
    printResult(
      folded(lines)
        .map((line) => `${line}\n`)
        .join(""),
      { out, report: join(out, "import.txt"), findings },
    );
    printSteps(`wrote ${out}; this report is saved as ${join(out, "import.txt")}\n`);
    printRemark(nextSteps(out));
    return 0;
  } catch (error) {
    if (!(error instanceof InvalidFiles)) throw error;
    printProblems(error.problems);
    return 1;
  }
}

const nextSteps = (out: string): string =>
  `Next: do the manual steps above, then run \`engine check\` and \`engine deploy\` in ${out}`;

/** @throws EngineError if the output would overwrite the original project */
async function refuseSameFolder(path: string, out: string): Promise<void> {
  const [from, to] = await Promise.all([path, out].map((each) => realpath(each).catch(() => resolve(each))));
  if (from !== to) return;
  throw new EngineError("bad-request", "$", `--out ${out} is the imported project itself: choose another folder`);
}

/** The source of metadata version 2 or older, which contains one database and no address. */
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

/** @throws InvalidFiles for invalid metadata */
async function importMetadata(
  { metadataPath }: PeerProject,
  root: string,
  { out, leaveOut }: Required<ImportOptions>,
): Promise<readonly Finding[]> {
  if (metadataPath === undefined) return [];
  const { metadata: document, locate, warnings } = await readMetadataDirectory(metadataPath);
  const place = (jsonPath: string): string => {
    const found = locate(jsonPath);
    return found === undefined ? jsonPath : `${relative(root, found.file) || found.file}:${found.line}`;
  };
  const { metadata, changes } = translateMetadata(document);
  const { metadata: enforced, changes: sections } = withoutSections(metadata, leaveOut);
  const served = withoutUnsupportedDatabases(enforced);
  const read = readMetadataDocument(served.metadata, { ...emptyCatalog, sources: [defaultSource] });
  const placed = (path: string): string => place(served.original(path));
  if (!read.ok) throw new InvalidFiles([diagnosticProblem(read.error, placed)]);
  await writeMetadata(join(out, "metadata"), storeMetadata(read.value));
  const unread = unreadMembers(served.metadata).map(
    (member): Finding => ({ kind: "todo", place: placed(member.path), message: unreadText(member) }),
  );
  return [
    ...unread,
    ...warnings.map(
      ({ file, line, message }): Finding => ({
        kind: "todo",
        place: `${relative(root, file) || file}:${line}`,
        message,
      }),
    ),
    ...[...sections, ...(await importNaming(served.metadata, out)), ...served.changes, ...changes].map(
      ({ kind, path, message }) => ({ kind, place: place(path), message }),
    ),
  ];
}

/**
 * Drops the sections in `leaveOut`, and reports all sections that the original engine enforces in one of its editions
 * only: this engine may refuse requests that the other editions accept.
 */
function withoutSections(document: Json, leaveOut: readonly EnforcedSection[]): TranslatedMetadata {
  if (!isObject<Json>(document)) return { metadata: document, changes: [] };
  const changes = enforcedSections.flatMap((section): readonly MetadataChange[] => {
    const value = document[section];
    if (value === undefined || value === null || Object.keys(value).length === 0) return [];
    const path = `$.${section}`;
    if (leaveOut.includes(section)) return [{ kind: "changed", path, message: `${section} is left out` }];
    const message = `${section} is enforced by this engine: if it had no effect before, import with --leave-out ${section}`;
    return [{ kind: "todo", path, message }];
  });
  const kept = Object.entries(document).filter(([key]) => !leaveOut.some((section) => section === key));
  return { metadata: Object.fromEntries(kept), changes };
}

/**
 * Writes the experimental feature that the naming convention of a source requires into `.env`, which the project's
 * commands read. An existing file is not changed.
 */
async function importNaming(document: Json, out: string): Promise<readonly MetadataChange[]> {
  const sources = isObject<Json>(document) && Array.isArray(document.sources) ? document.sources : [];
  const index = sources.findIndex(
    (source) => isObject<Json>(source) && namingConvention(source.customization) === "graphql-default",
  );
  if (index < 0) return [];
  const setting = "ENGINE_GRAPHQL_EXPERIMENTAL_FEATURES=naming_convention";
  const file = join(out, ".env");
  if ((await stat(file).catch(() => undefined)) === undefined) await write(file, `${setting}\n`);
  const path = pathTo("$", "sources", index, "customization", "naming_convention");
  const message = `graphql-default requires ${setting}: .env sets it for commands; set it for the server too`;
  return [{ kind: "todo", path, message }];
}

const namingConvention = (customization: Json | undefined): Json | undefined =>
  isObject<Json>(customization) ? customization.naming_convention : undefined;

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
      findings.push({ kind: "todo", place: relative(root, path), message: "not imported: not an SQL file" });
      continue;
    }
    const place = relative(root, path);
    const isLegacy = target.endsWith(".yaml");
    const { sql: text, findings: left } = isLegacy ? await readLegacyMigration(path, place) : await readText(path);
    // Findings have the line numbers of the original file.
    const found = translate(isLegacy ? (await readText(path)).sql : text, place).findings;
    findings.push(...left, ...found);
    await write(join(out, isLegacy ? target.replace(/yaml$/, "sql") : target), translate(text, place).sql);
  }
  return findings;
}

async function readText(path: string): Promise<LegacyMigration> {
  return { sql: await readFile(path, "utf8"), findings: [] };
}

/** Writes the project's configuration. Keeps an existing file, which the user or an earlier import has written. */
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
    const reason = messageOf(error);
    throw new EngineError("unwritable", "$", `cannot write ${path}: ${reason}`, { cause: error });
  }
}
