/**
 * Notices: parts of the metadata that are accepted and stored but have no effect. These are settings without effect,
 * constants that resemble session variables of another engine, tables and columns without a valid GraphQL name, parts of
 * the schema whose name another root field or type has, and roles of tools without permissions.
 * None of them is inconsistent.
 */

import { pathTo } from "../../runtime/values/errors.ts";
import { isSessionReference, sessionPrefix } from "../../runtime/values/session.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Json, Source, Table } from "../catalog/model.ts";
import { dialectOf } from "../dialects/index.ts";
import { type Analysis, type AnalysisOptions, type AnalyzedSource, qualifiedKey } from "./analysis.ts";
import type { AnalyzedTable } from "./analyzed-table.ts";
import { textsIn } from "./foreign-variables.ts";
import { englishList } from "./rules/english.ts";
import { isGroupLeftOut } from "./rules/group-fields.ts";
import { ofGroup } from "./table-map.ts";
import { type TakenType, takenTypes } from "./taken-types.ts";

export interface Notice {
  /** JSONPath in the metadata document. */
  readonly path: string;
  readonly message: string;
}

type NoticeOptions = Pick<AnalysisOptions, "experimentalFeatures" | "sessionAlias">;

/** Returns the notices of the metadata and of the schema that follows from it. */
export function noticesOf(
  analysis: Pick<
    Analysis,
    "catalog" | "options" | "sources" | "roles" | "leftOutGroups" | "customTypes" | "remoteSchemas"
  >,
): readonly Notice[] {
  const { catalog, options, sources, roles, leftOutGroups } = analysis;
  const takenIn = takenTypes(analysis);
  return [
    ...metadataNotices(catalog, options),
    ...toolNotices(catalog, roles),
    ...catalog.sources.flatMap((source, index) => {
      const analyzed = sources.get(source.name);
      if (!analyzed) return [];
      const path = `$.sources[${index}]`;
      return [
        ...unnamedNotices(source, analyzed, path),
        ...groupNotices(source, analyzed, leftOutGroups, path),
        ...typeNotices(source, analyzed, takenIn(analyzed), path),
      ];
    }),
  ];
}

/** Yields notices for roles of tools that have no permissions. */
function* toolNotices({ agent_tools }: Catalog, roles: readonly string[]): Iterable<Notice> {
  const known = new Set(["admin", ...roles]);
  for (const [index, { name, roles: named = [] }] of agent_tools.entries()) {
    const unknown = named.filter((role) => !known.has(role)).map((role) => `"${role}"`);
    if (unknown.length === 0) continue;
    const [nouns, verb] = unknown.length === 1 ? ["role", "has"] : ["roles", "have"];
    const message = `the ${nouns} ${englishList(unknown, "and")} of the tool "${name}" ${verb} no permissions`;
    yield { path: pathTo("$.agent_tools", index, "roles"), message };
  }
}

/** Yields notices for tables whose groups are not a root field, because another root field has the name. */
function* groupNotices(
  { tables }: Source,
  analyzed: AnalyzedSource,
  leftOut: Analysis["leftOutGroups"],
  path: string,
): Iterable<Notice> {
  if (leftOut.size === 0) return;
  for (const [index, { table }] of tables.entries()) {
    const found = analyzed.tables.get(qualifiedKey(table));
    if (!found?.rootFields || !isGroupLeftOut(leftOut, found)) continue;
    const { name } = found.rootFields.select_group;
    const message = `groups of the table "${found.displayName}" are not a root field because another one has the name "${name}": set select_group in custom_root_fields`;
    yield { path: pathTo(path, "tables", index), message };
  }
}

/** Yields notices for tables without a part of the schema, because another type has the name of its type. */
function* typeNotices(
  { kind: database, tables }: Source,
  analyzed: AnalyzedSource,
  taken: readonly TakenType[],
  path: string,
): Iterable<Notice> {
  if (taken.length === 0) return;
  const hasChanges = dialectOf(database).runtime.dialect.writes.changes !== undefined;
  for (const [index, { table }] of tables.entries()) {
    const found = analyzed.tables.get(qualifiedKey(table));
    if (found === undefined) continue;
    for (const { name, of, kind } of taken) {
      if (of !== found.graphqlName || (kind === "change" && !(hasChanges && found.primaryKey.length > 0))) continue;
      const part = kind === "change" ? "the field changes of mutations" : "the argument top_per";
      const message = `${part} of the table "${found.displayName}" is left out because another type has the name "${name}": rename that type`;
      yield { path: pathTo(path, "tables", index), message };
    }
  }
}

/** Yields notices for tables and columns without a valid name, which are left out of the schema. */
function* unnamedNotices({ tables }: Source, analyzed: AnalyzedSource, path: string): Iterable<Notice> {
  const unnamed = new Map(analyzed.tables.groups.flatMap(unnamedOfGroup));
  if (unnamed.size === 0) return;
  for (const [index, { table }] of tables.entries()) {
    const message = unnamed.get(qualifiedKey(table));
    if (message !== undefined) yield { path: pathTo(path, "tables", index), message };
  }
}

/** Messages about tables that are left out of the schema or have columns that are, by key of the table. */
const unnamedOfGroup = ofGroup((group): readonly (readonly [key: string, message: string])[] =>
  group.flatMap((table) => {
    const message = unnamedText(table);
    return message === undefined ? [] : [[table.key, message] as const];
  }),
);

function unnamedText({ displayName, graphqlName, columns }: AnalyzedTable): string | undefined {
  if (graphqlName === null) {
    return `the table "${displayName}" is not in the GraphQL schema because its name is not valid there: set custom_name`;
  }
  const names = columns.flatMap(({ name, field }) => (field === null ? [`"${name}"`] : []));
  if (names.length === 0) return undefined;
  const [nouns, reason] =
    names.length === 1
      ? ["column", "is not in the GraphQL schema because its name is"]
      : ["columns", "are not in the GraphQL schema because their names are"];
  return `the ${nouns} ${englishList(names, "and")} of "${displayName}" ${reason} not valid there: set custom_name in column_config`;
}

export function metadataNotices(catalog: Catalog, options: NoticeOptions): readonly Notice[] {
  return [
    ...catalog.sources.flatMap((source, index) => [...sourceNotices(source, `$.sources[${index}]`, options)]),
    ...limitNotices(catalog, options),
    ...(isGiven(catalog.backend_configs) ? [withoutEffect("$.backend_configs")] : []),
  ];
}

function withoutEffect(path: string, why = ""): Notice {
  return { path, message: `is stored and has no effect${why}` };
}

/** Returns false for an empty object, which has no settings. */
function isGiven(value: object | undefined): boolean {
  return value !== undefined && Object.keys(value).length > 0;
}

function* sourceNotices(source: Source, path: string, options: NoticeOptions): Iterable<Notice> {
  const { configuration, customization, tables } = source;
  const place = pathTo(path, "configuration");
  const dialect = dialectOf(source.kind);
  if (configuration.read_replicas !== undefined && !dialect.hasReplicas) {
    yield withoutEffect(pathTo(place, "read_replicas"), ": all statements go to the only database");
  }
  const { connection_set, connection_template } = configuration;
  if (connection_set !== undefined && connection_template === undefined) {
    yield withoutEffect(
      pathTo(place, "connection_set"),
      " without a connection_template, which routes requests to its members",
    );
  }
  if (connection_set !== undefined && tables.some(({ event_triggers }) => event_triggers.length > 0)) {
    const message =
      "event triggers exist only in the database of connection_info: changes in other databases of the set are not recorded";
    yield { path: pathTo(place, "connection_set"), message };
  }
  const { defaultSchema } = dialect;
  if ((configuration.extensions_schema ?? defaultSchema) !== defaultSchema) {
    yield withoutEffect(pathTo(place, "extensions_schema"), ": extensions are never installed in a source");
  }
  if (configuration.connection_info.pool_settings?.total_max_connections !== undefined) {
    yield withoutEffect(pathTo(place, "connection_info", "pool_settings", "total_max_connections"));
  }
  if (
    customization?.naming_convention === "graphql-default" &&
    !options.experimentalFeatures.has("naming_convention")
  ) {
    yield withoutEffect(
      pathTo(path, "customization", "naming_convention"),
      " without the experimental feature naming_convention: set --experimental-features naming_convention",
    );
  }
  for (const [index, table] of tables.entries()) {
    for (const { path: within, message } of constantNotices(table, options)) {
      yield { path: pathTo(path, "tables", index) + within.slice(1), message };
    }
  }
}

/** Cached by identity: an unchanged table is scanned once. */
const known = new WeakMap<
  Table,
  { readonly alias: NoticeOptions["sessionAlias"]; readonly notices: readonly Notice[] }
>();

/** Returns the notices of a table's permissions, with paths relative to the table. */
function constantNotices(table: Table, options: NoticeOptions): readonly Notice[] {
  let found = known.get(table);
  if (found === undefined || found.alias !== options.sessionAlias) {
    found = { alias: options.sessionAlias, notices: [...permissionNotices(table, "$", options)] };
    known.set(table, found);
  }
  return found.notices;
}

const permissionLists = [
  "insert_permissions",
  "select_permissions",
  "update_permissions",
  "delete_permissions",
] as const;

type Constants = Readonly<Partial<Record<"filter" | "check" | "set", Json>>>;

function* permissionNotices(table: Table, path: string, options: NoticeOptions): Iterable<Notice> {
  for (const list of permissionLists) {
    for (const [index, { permission }] of table[list].entries()) {
      const place = pathTo(path, list, index, "permission");
      const { filter, check, set }: Constants = permission;
      for (const [key, value] of Object.entries({ filter, check, set })) {
        for (const { path: at, text } of textsIn(value, pathTo(place, key))) {
          if (looksForeign(text, options)) yield { path: at, message: constantText(text) };
        }
      }
    }
  }
}

/** Yields notices for rate-limit keys that no request can have. */
function* limitNotices({ api_limits }: Catalog, { sessionAlias }: NoticeOptions): Iterable<Notice> {
  const { path, value } = { path: "$.api_limits.rate_limit", value: api_limits.rate_limit };
  for (const { path: at, text } of textsIn(value as Json | undefined, path)) {
    if (text === "IP" || isSessionReference(text, sessionAlias)) continue;
    yield {
      path: at,
      message: `"${text}" is the same for every request, so it cannot be used as a rate-limit key: ${ours}`,
    };
  }
}

/**
 * Returns true for `X-App-User-Id`, `x-tenant-role` and the like, which resemble session variables with another prefix.
 */
function looksForeign(text: string, { sessionAlias }: NoticeOptions): boolean {
  return !isSessionReference(text, sessionAlias) && /^x-[a-z0-9]+(?:-[a-z0-9]+)*-(?:user-id|role)$/i.test(text);
}

const ours = `session variables begin with ${sessionPrefix}`;

const constantText = (text: string): string =>
  `"${text}" is compared as a constant: ${ours}; map other names with --header-alias, or rename them with engine import`;
