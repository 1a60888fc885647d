/**
 * Members of a metadata document that nothing reads: misspelt keys, and settings that there are elsewhere. Reading a
 * document leaves them out without a word, except in tables.
 */

import { pathTo } from "../../runtime/values/errors.ts";
import { isObject } from "../../runtime/values/is-object.ts";
import { didYouMean } from "../../runtime/values/nearest-name.ts";
import { emptyCatalog } from "./catalog.ts";
import type { Source } from "./model.ts";
import { readMetadataDocument } from "./upgrade.ts";

export interface UnreadMember {
  /** In the document. */
  readonly path: string;
  readonly key: string;
  readonly hint: string | undefined;
}

/** Keys that are read, and whose value is then in another place, or nowhere where it says what holds anyway. */
const readElsewhere: ReadonlySet<string> = new Set([
  "transform",
  "custom_column_names",
  "custom_root_fields",
  "column_config",
  "kind",
]);

/** Keys that the other engine's files hold where they have no meaning: of permissions that read nothing. */
const meaningless = /\.(?:insert|update|delete)_permissions\[\d+\]\.permission\.computed_fields$/;

/** Keys that objects may lack, and that people misspell: those that are there stand in what was read. */
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

/** What is said of it. */
export function unreadText({ key, hint }: UnreadMember): string {
  return `no setting has the name ${JSON.stringify(key)}, it is left out${hint === undefined ? "" : `: ${hint}`}`;
}

/** Of a document that cannot be read there are none: its error says more. */
export function unreadMembers(document: unknown): readonly UnreadMember[] {
  const read = readMetadataDocument(document, { ...emptyCatalog, sources: [anySource] });
  if (!read.ok || !isObject(document)) return [];
  const [source] = read.value.sources;
  // Documents of versions 1 and 2 have the lists of their one database at the top.
  const lists = { tables: source?.tables, functions: source?.functions };
  const asRead = document.sources === undefined ? { ...read.value, ...lists } : read.value;
  // In version 1 functions are names alone.
  const compared = (document.version ?? 1) === 1 ? { ...document, functions: null } : document;
  return [...differences(compared, { ...asRead, version: 3 }, "$")];
}

/** What was read has the form of the document, with defaults added: what it lacks was not read. */
function* differences(given: unknown, read: unknown, path: string): Iterable<UnreadMember> {
  if (Array.isArray(given) && Array.isArray(read)) {
    if (given.length !== read.length) return;
    for (const [index, item] of given.entries()) yield* differences(item, read[index], pathTo(path, index));
  }
  if (!isObject(given) || !isObject(read) || Array.isArray(given) || Array.isArray(read)) return;
  for (const [key, value] of Object.entries(given)) {
    if (value === null || readElsewhere.has(key)) continue;
    if (meaningless.test(pathTo(path, key))) continue;
    if (Object.hasOwn(read, key)) yield* differences(value, read[key], pathTo(path, key));
    else yield { path: pathTo(path, key), key, hint: didYouMean(key, [...Object.keys(read), ...optionalKeys]) };
  }
}
