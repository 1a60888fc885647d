/**
 * Adds query tags: SQL comments that name the operation of a statement. Without a request id, tags are the same for all
 * requests of an operation, so its statements are prepared once. With a request id, every text is different, so the
 * statements are sent unprepared.
 */

import type { PreparedStatement } from "../databases/sources/source.ts";
import type { QueryTagsDefinition } from "../model/definitions/query-tags.ts";
import type { Operation } from "../model/planner/request/document.ts";
import type { Session } from "../values/session.ts";
import { identityOf } from "./operation-identity.ts";
import { statementName } from "./prepared-writes.ts";
/**
 * Returns the statement with the tag for a source.
 * @param fields the root fields that the statement resolves
 */
export type TagStatement = (
  source: string,
  statement: PreparedStatement,
  fields?: () => readonly string[],
) => PreparedStatement;

interface SourceTags {
  readonly queryTags: ReadonlyMap<string, QueryTags>;
}

interface TaggedOperation {
  readonly operation: () => Operation;
}

const untagged: TagStatement = (_, statement) => statement;

export function tagStatements(
  { queryTags }: SourceTags,
  { operation }: TaggedOperation,
  { requestId }: Pick<Session, "requestId"> = {},
): TagStatement {
  if (queryTags.size === 0) return untagged;
  return (source, statement, fields = noFields) => {
    const tags = queryTags.get(source);
    if (tags === undefined) return statement;
    const pairs = () => ({ field_name: fields().join("."), ...identityOf(operation()) });
    if (tags.hasRequestId && requestId !== undefined)
      return tagUnnamed(statement, tags, { request_id: requestId, ...pairs() });
    return tagCached(statement, tags, pairs);
  };
}

/** Tags the statements of a data operation with its type and table, because it has no operation text. */
export function tagDataOperation(
  { queryTags }: SourceTags,
  { type, table }: { readonly type: string; readonly table: string },
  { requestId }: Pick<Session, "requestId">,
): TagStatement {
  if (queryTags.size === 0) return untagged;
  return (source, statement) => {
    const tags = queryTags.get(source);
    if (tags === undefined) return statement;
    const request_id = tags.hasRequestId ? (requestId ?? "") : "";
    return tagUnnamed(statement, tags, { request_id, field_name: table, operation_name: type });
  };
}

/** Tags the statement of a subscription. Many requests share it, so the tag has no operation name and no request id. */
export function tagSubscription({ queryTags }: SourceTags, { operation }: TaggedOperation): TagStatement {
  if (queryTags.size === 0) return untagged;
  return (source, statement, fields = noFields) => {
    const tags = queryTags.get(source);
    if (tags === undefined) return statement;
    const { parameterized_query_hash } = identityOf(operation());
    return tagCached(statement, tags, () => ({ field_name: fields().join("."), parameterized_query_hash }));
  };
}

const noFields = (): readonly string[] => [];

/** Keys and values of a tag, in output order. */
type Pairs = Readonly<Record<string, string>>;

interface TaggedStatement {
  readonly tags: QueryTags;
  readonly statement: PreparedStatement;
}

/** Tagged statements by original statement. A statement belongs to the plan of one operation. */
const taggedStatements = new WeakMap<PreparedStatement, TaggedStatement>();

function tagCached(statement: PreparedStatement, tags: QueryTags, pairs: () => Pairs): PreparedStatement {
  const found = taggedStatements.get(statement);
  if (found?.tags === tags) return found.statement;
  const text = withTag(statement.text, tags, pairs());
  const tagged = { ...statement, text, ...(statement.name !== undefined && { name: statementName(text) }) };
  taggedStatements.set(statement, { tags, statement: tagged });
  return tagged;
}

/** Returns an unnamed statement, because its text is unique to one request. */
function tagUnnamed(
  { name: _unnamed, ...others }: PreparedStatement,
  tags: QueryTags,
  pairs: Pairs,
): PreparedStatement {
  return { ...others, text: withTag(others.text, tags, pairs) };
}

function withTag(text: string, { format }: QueryTags, pairs: Pairs): string {
  const comment = `/* ${commentOf(
    format,
    Object.entries(pairs).filter(([, value]) => value !== ""),
  )} */`;
  return format === "standard_prepended" ? `${comment} ${text}` : `${text} ${comment}`;
}

function commentOf(format: QueryTags["format"], pairs: readonly (readonly [string, string])[]): string {
  if (format !== "sqlcommenter") return pairs.map(([name, value]) => `${name}=${escaped(value)}`).join(",");
  // The sqlcommenter specification requires sorted keys and single quotes.
  const sorted = pairs.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([name, value]) => `${name}='${escaped(value)}'`).join(",");
}

/** Limit in characters. */
const maxValueLength = 200;

/** Percent-encodes a value. Clients choose request ids, which must neither close the comment nor open a nested one. */
function escaped(value: string): string {
  return value
    .slice(0, maxValueLength)
    .replace(/[^\w.:-]/gu, (character) =>
      [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
    );
}

/** Settings of query tags by source. */
export interface QueryTags {
  readonly format: NonNullable<QueryTagsDefinition["format"]>;
  readonly hasRequestId: boolean;
}

/** Returns the settings of a source; `undefined` if tags are not configured or disabled. */
function queryTagsOf(definition: QueryTagsDefinition | undefined): QueryTags | undefined {
  if (definition === undefined || definition.disabled === true) return undefined;
  const { format = "standard", omit_request_id: omitsRequestId = true } = definition;
  return { format, hasRequestId: !omitsRequestId };
}

/** Returns the settings of all sources with query tags. */
export function queryTagsOfSources(
  sources: Iterable<readonly [name: string, definition: QueryTagsDefinition | undefined]>,
): ReadonlyMap<string, QueryTags> {
  return new Map(
    [...sources].flatMap(([name, definition]): [string, QueryTags][] => {
      const tags = queryTagsOf(definition);
      return tags ? [[name, tags]] : [];
    }),
  );
}
