/** Adds file, line and nearest name to a server's inconsistent objects, from a project's files. */
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import type { Json } from "../../../compiler/catalog/model.ts";
import { printName } from "../../../compiler/catalog/schema/names.ts";
import { dialectOf } from "../../../compiler/dialects/index.ts";
import type { Environment } from "../../config/options.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { analyzeCatalog } from "../compile/analyze-input.ts";
import { type CatalogFiles, readCatalog } from "../compile/read-catalog.ts";
import { shapesOfServer } from "../handlers/server-shapes.ts";
import type { InconsistencyList } from "../metadata/inconsistency.ts";
import { inconsistencyProblem, locationOf, type Problem } from "../problem.ts";
import type { CallMetadata } from "../project/client.ts";

export interface LocatingSettings {
  /** `undefined` if there are no files. */
  readonly metadataPath: string | undefined;
  readonly environment: Environment;
}

/**
 * Returns the list with locations in files. The files are analysed with the server's introspections, because the
 * server's list has neither locations nor nearest names. Objects that are not in the files keep the server's line.
 */
export async function locatedInconsistencies(
  call: CallMetadata,
  { metadataPath, environment }: LocatingSettings,
  list: InconsistencyList,
): Promise<InconsistencyList> {
  const { entries, problems } = list;
  if (problems.length === 0 || metadataPath === undefined) return list;
  const files = await filesOrUndefined(metadataPath);
  if (files === undefined) return list;
  const known = await knownByName(call, files, metadataPath, environment);
  const located = entries.filter(isObject<Json>).flatMap((entry, index) => {
    const plain = problems[index];
    if (plain === undefined || typeof entry.name !== "string") return plain === undefined ? [] : [{ entry, plain }];
    const found = known.get(entry.name) ?? placed(files, entry.name, plain);
    const { causedBy } = found;
    return [{ entry: causedBy === undefined ? entry : { ...entry, caused_by: causedBy }, plain: found }];
  });
  return { entries: located.map(({ entry }) => entry), problems: located.map(({ plain }) => plain) };
}

/** Returns `undefined` for invalid files, whose locations would not match the server's objects. */
async function filesOrUndefined(path: string): Promise<CatalogFiles | undefined> {
  try {
    const files = await readCatalog(path);
    return "diagnostic" in files ? undefined : files;
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

async function knownByName(
  call: CallMetadata,
  files: CatalogFiles,
  metadata: string,
  environment: Environment,
): Promise<ReadonlyMap<string, Problem>> {
  const { catalog, place } = files;
  const shapes = await shapesOfServer(catalog.sources, call);
  const analyzed = await analyzeCatalog(files, shapes, { metadata, allowInconsistent: true }, environment);
  if ("problems" in analyzed) return new Map();
  const { inconsistencies } = analyzed.analysis;
  return new Map(inconsistencies.map((each) => [each.name, inconsistencyProblem(each, catalog, place)]));
}

/** Returns the problem with the location of an object that only the server finds inconsistent, if its name leads to one. */
export function placed(
  { catalog, place }: Pick<CatalogFiles, "catalog" | "place">,
  name: string,
  problem: Problem,
): Problem {
  const path = pathOfName(catalog, name);
  const found = path === undefined ? undefined : place(path);
  if (path === undefined || found === undefined || found === path) return problem;
  const location = locationOf(found);
  return { ...problem, path, ...(location && { location }), line: `${found}: inconsistent ${problem.line}` };
}

/** Patterns of names of inconsistent objects, such as `remote_schema shop` and `source default`. */
const namedLists: readonly (readonly [
  prefix: RegExp,
  list: (catalog: Catalog) => readonly { readonly name: string }[],
  path: string,
])[] = [
  [/^source (.+)$|in source (.+)$/, ({ sources }) => sources, "$.sources"],
  [/^remote_schema (.+)$|in remote schema (.+)$/, ({ remote_schemas }) => remote_schemas, "$.remote_schemas"],
  [/^action (.+)$/, ({ actions }) => actions, "$.actions"],
  [/^cron_trigger (.+)$/, ({ cron_triggers }) => cron_triggers, "$.cron_triggers"],
  [/^rest_endpoint (.+)$/, ({ rest_endpoints }) => rest_endpoints, "$.rest_endpoints"],
  [/^agent_tool (.+)$/, ({ agent_tools }) => agent_tools, "$.agent_tools"],
];

function pathOfName(catalog: Catalog, objectName: string): string | undefined {
  const inTable = pathInTable(catalog, objectName);
  if (inTable !== undefined) return inTable;
  for (const [pattern, list, path] of namedLists) {
    const [, own, around] = pattern.exec(objectName) ?? [];
    const index = list(catalog).findIndex(({ name }) => name === (own ?? around));
    if (index >= 0) return `${path}[${index}]`;
  }
  return undefined;
}

/**
 * Objects of tables that only a server can find inconsistent, because of calls to other servers or missing variables.
 */
const tableLists = { event_trigger: "event_triggers", remote_relationship: "remote_relationships" } as const;

function pathInTable({ sources }: Catalog, objectName: string): string | undefined {
  const [, type = "", name, table, sourceName] = /^(\w+) (.+) in table (.+) in source (.+)$/.exec(objectName) ?? [];
  if (!isKey(type)) return undefined;
  const sourceIndex = sources.findIndex((each) => each.name === sourceName);
  const source = sources[sourceIndex];
  const tableIndex = source?.tables.findIndex(
    (each) => printName(each.table, dialectOf(source.kind).defaultSchema) === table,
  );
  const list = tableIndex === undefined ? undefined : source?.tables[tableIndex]?.[tableLists[type]];
  const index = list?.findIndex((each) => each.name === name) ?? -1;
  return index < 0 ? undefined : `$.sources[${sourceIndex}].tables[${tableIndex}].${tableLists[type]}[${index}]`;
}

const isKey = (type: string): type is keyof typeof tableLists => Object.hasOwn(tableLists, type);
