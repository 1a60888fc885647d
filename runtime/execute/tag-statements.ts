/**
 * Comments of statements that say which operation they are for. What they say is the same for all
 * requests of an operation, so that its statements are prepared and planned once. With the id of the request every text
 * is another: such statements are sent without a name, and the database plans each.
 */

import type { PreparedStatement } from "../databases/sources/source.ts";
import type { Operation } from "../model/planner/request/document.ts";
import type { Session } from "../values/session.ts";
import { identityOf } from "./operation-identity.ts";
import { statementName } from "./prepared-writes.ts";
import type { QueryTags } from "./query-tags.ts";

/**
 * A statement with its tag, for the database of a source.
 * @param fields the root fields that it answers
 */
export type TagStatement = (
  source: string,
  statement: PreparedStatement,
  fields?: () => readonly string[],
) => PreparedStatement;

interface SourceTags {
  /** By source. */
  readonly queryTags: ReadonlyMap<string, QueryTags>;
}

interface TaggedOperation {
  readonly operation: () => Operation;
}

const untagged: TagStatement = (_, statement) => statement;

/** Tags the statements of one request. */
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
      return once(statement, tags, { request_id: requestId, ...pairs() });
    return kept(statement, tags, pairs);
  };
}

/** Tags the statements of a data operation, by its type and its table: it has no text to tell it by. */
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
    return once(statement, tags, { request_id, field_name: table, operation_name: type });
  };
}

/** Tags the statement of a subscription, which many requests and operations may share: it has no name and no request. */
export function tagSubscription({ queryTags }: SourceTags, { operation }: TaggedOperation): TagStatement {
  if (queryTags.size === 0) return untagged;
  return (source, statement, fields = noFields) => {
    const tags = queryTags.get(source);
    if (tags === undefined) return statement;
    const { parameterized_query_hash } = identityOf(operation());
    return kept(statement, tags, () => ({ field_name: fields().join("."), parameterized_query_hash }));
  };
}

const noFields = (): readonly string[] => [];

/** In their order. */
type Pairs = Readonly<Record<string, string>>;

interface Tagged {
  readonly tags: QueryTags;
  readonly statement: PreparedStatement;
}

/** A plan, and each of its statements, is of one operation. */
const known = new WeakMap<PreparedStatement, Tagged>();

function kept(statement: PreparedStatement, tags: QueryTags, pairs: () => Pairs): PreparedStatement {
  const found = known.get(statement);
  if (found?.tags === tags) return found.statement;
  const text = withTag(statement.text, tags, pairs());
  const tagged = { ...statement, text, ...(statement.name !== undefined && { name: statementName(text) }) };
  known.set(statement, { tags, statement: tagged });
  return tagged;
}

/** Of one request: nothing of it comes again. */
function once({ name: _unnamed, ...others }: PreparedStatement, tags: QueryTags, pairs: Pairs): PreparedStatement {
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
  // Its specification asks for this order and these quotes.
  const sorted = pairs.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([name, value]) => `${name}='${escaped(value)}'`).join(",");
}

/** In characters of one value. */
const longestValue = 200;

/** Clients choose the id of a request: nothing of it may end the comment, or begin another inside of it. */
function escaped(value: string): string {
  return value
    .slice(0, longestValue)
    .replace(/[^\w.:-]/gu, (character) =>
      [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
    );
}
