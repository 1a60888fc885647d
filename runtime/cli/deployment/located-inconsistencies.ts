/** Inconsistent objects that a server lists → lines with file, line and nearest name, where a project has the objects. */
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
import { inconsistencyText } from "../problem-text.ts";
import type { CallMetadata } from "../project/client.ts";
import { printable } from "../project/output.ts";

export interface LocatingSettings {
  /** `undefined`: there are no files to name. */
  readonly metadataPath: string | undefined;
  readonly environment: Environment;
}

/**
 * Returns the list with lines that name files. The files are analyzed with the databases as the server sees them: its list has no place and
 * no nearest name. What files cannot tell is named as the server names it.
 */
export async function locatedInconsistencies(
  call: CallMetadata,
  { metadataPath, environment }: LocatingSettings,
  list: InconsistencyList,
): Promise<InconsistencyList> {
  const { entries, lines } = list;
  if (lines.length === 0 || metadataPath === undefined) return list;
  const files = await filesOrNothing(metadataPath);
  if (files === undefined) return list;
  const known = await knownByName(call, files, metadataPath, environment);
  const located = entries.filter(isObject<Json>).map((entry, index) => {
    const plain = lines[index] ?? "";
    if (typeof entry.name !== "string") return { entry, line: plain };
    const { line = `${placeOf(files, entry.name)}${plain}`, cause } = known.get(entry.name) ?? {};
    return { entry: cause === undefined ? entry : { ...entry, caused_by: cause }, line };
  });
  return { entries: located.map(({ entry }) => entry), lines: located.map(({ line }) => line) };
}

/** Files of another state than the server's, or none: the server's words have to do. */
async function filesOrNothing(path: string): Promise<CatalogFiles | undefined> {
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
): Promise<ReadonlyMap<string, { readonly line: string; readonly cause: string | undefined }>> {
  const { catalog, place } = files;
  const shapes = await shapesOfServer(catalog.sources, call);
  const analyzed = await analyzeCatalog(files, shapes, { metadata, allowInconsistent: true }, environment);
  if ("problems" in analyzed) return new Map();
  const { inconsistencies } = analyzed.analysis;
  return new Map(
    inconsistencies.map((each) => {
      const line = printable(inconsistencyText(each, catalog, place));
      return [each.name, { line, cause: each.causedBy }];
    }),
  );
}

/** Of objects that only the server knows to be inconsistent: what their name says of where they are. */
export function placeOf({ catalog, place }: Pick<CatalogFiles, "catalog" | "place">, name: string): string {
  const path = pathOfName(catalog, name);
  const found = path === undefined ? undefined : place(path);
  return found === undefined || found === path ? "" : `${found}: inconsistent `;
}

/** Names are those of inconsistent objects, such as `remote_schema shop` and `source default`. */
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

/** Objects of tables that a server finds inconsistent by asking somebody, or for want of a variable. */
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
