/**
 * Finds the members of a metadata document that have no effect: misspelt keys, and settings at the wrong path. Parsing
 * drops them silently, except in tables.
 */

import { pathTo } from "../../runtime/values/errors.ts";
import { isObject } from "../../runtime/values/is-object.ts";
import { didYouMean } from "../../runtime/values/nearest-name.ts";
import { emptyCatalog } from "./catalog.ts";
import type { Source } from "./model.ts";
import { readMetadataDocument } from "./upgrade.ts";

export interface UnreadMember {
  /** JSONPath of the member in the document. */
  readonly path: string;
  readonly key: string;
  readonly hint: string | undefined;
}

/** Keys whose values are stored under other keys, or left out if they are defaults. */
const keysStoredElsewhere: ReadonlySet<string> = new Set([
  "transform",
  "custom_column_names",
  "custom_root_fields",
  "column_config",
  "kind",
]);

/** Keys that files of the other engine contain without any effect: `computed_fields` of write permissions. */
const ignoredKeys = /\.(?:insert|update|delete)_permissions\[\d+\]\.permission\.computed_fields$/;

/** Optional keys for suggestions. Keys that are present are suggested from the parsed document. */
const optionalKeys = [
  ...["allow_aggregations", "backend_only", "comment", "computed_fields", "limit", "permissions", "set"],
  ...["query_root_fields", "subscription_root_fields", "request_transform", "response_transform", "headers"],
  ...["max_connections", "idle_timeout", "connection_lifetime", "pool_timeout", "use_prepared_statements"],
  ...[
    "num_retries",
    "interval_sec",
    "timeout_sec",
    "retry_conf",
    "custom_name",
    "customization",
    "forward_client_headers",
  ],
];

const anySource: Source = {
  name: "default",
  kind: "postgres",
  tables: [],
  functions: [],
  native_queries: [],
  stored_procedures: [],
  logical_models: [],
  configuration: { connection_info: {} },
};

/** Returns the warning about a member. */
export function unreadText({ key, hint }: UnreadMember): string {
  return `unknown key ${JSON.stringify(key)} is ignored${hint === undefined ? "" : `: ${hint}`}`;
}

/** Returns the members without effect; none for a document that cannot be parsed, whose error is more useful. */
export function unreadMembers(document: unknown): readonly UnreadMember[] {
  const read = readMetadataDocument(document, { ...emptyCatalog, sources: [anySource] });
  if (!read.ok || !isObject(document)) return [];
  const [source] = read.value.sources;
  // Documents of versions 1 and 2 have the lists of their only source at the top level.
  const lists = { tables: source?.tables, functions: source?.functions };
  const asRead = document.sources === undefined ? { ...read.value, ...lists } : read.value;
  // In version 1 a function is only a name.
  const compared = (document.version ?? 1) === 1 ? { ...document, functions: null } : document;
  return [...differences(compared, { ...asRead, version: 3 }, "$")];
}

/**
 * Compares a document with its parsed form, which has the same structure plus defaults: members missing from the parsed
 * form have no effect.
 */
function* differences(given: unknown, read: unknown, path: string): Iterable<UnreadMember> {
  if (Array.isArray(given) && Array.isArray(read)) {
    if (given.length !== read.length) return;
    for (const [index, item] of given.entries()) yield* differences(item, read[index], pathTo(path, index));
  }
  if (!isObject(given) || !isObject(read) || Array.isArray(given) || Array.isArray(read)) return;
  for (const [key, value] of Object.entries(given)) {
    if (value === null || keysStoredElsewhere.has(key)) continue;
    if (ignoredKeys.test(pathTo(path, key))) continue;
    if (Object.hasOwn(read, key)) yield* differences(value, read[key], pathTo(path, key));
    else yield { path: pathTo(path, key), key, hint: didYouMean(key, [...Object.keys(read), ...optionalKeys]) };
  }
}
