/**
 * The stages of a query after planning: bind values, run all statements and remote calls concurrently, join, encode.
 */
import { byteReads } from "../databases/sources/byte-reads.ts";
import { Deadline } from "../databases/sources/deadline.ts";
import type { ByteRow, DatabaseSource, Reader, Reads, SqlValue, TextRow } from "../databases/sources/source.ts";
import { bind, sessionText } from "../model/definitions/parameters.ts";
import type { ResponseBuilder } from "../ports/graphql.ts";
import type { Caller } from "../values/caller.ts";
import { type EngineError, invariant } from "../values/errors.ts";
import type { LongText } from "../values/long-text.ts";
import type { ResponseText } from "../values/response-text.ts";
import { noSpan } from "../values/span.ts";
import { encodeBytes, encodeParts } from "./encode-bytes.ts";
import { queryData, type RemoteResults, type SchemaPart } from "./encode-data.ts";
import type { IntrospectionText } from "./introspection.ts";
import { RemoteJoins } from "./joins/remote-joins.ts";
import { joinRun, joinValues, type ResponseJoins } from "./joins/run-joins.ts";
import { fieldsOfStatement, spannedStatement, timed } from "./operation-spans.ts";
import type { CachedPlan } from "./plan-cache.ts";
import { type PlannedRequest, timeLimitOf } from "./planned-request.ts";
import { type BoundRemoteCalls, bindRemoteCalls, type CallOptions, callAll, RemoteCaller } from "./remote-calls.ts";
import { reportLogPositions, routedReader, routedSource } from "./route.ts";
import { type TagStatement, tagStatements } from "./tag-statements.ts";

export interface BoundQuery {
  readonly kind: "query";
  readonly operation: PlannedRequest;
  readonly statements: readonly BoundStatement[];
  readonly calls: BoundRemoteCalls;
  readonly tag: TagStatement;
}

interface BoundStatement {
  readonly source: DatabaseSource;
  readonly statement: CachedPlan["statements"][number];
  readonly values: readonly SqlValue[];
  /**
   * The session variables as JSON text for the functions that the statement calls; `undefined` for read-only
   * statements.
   */
  readonly user: string | undefined;
}

/**
 * Binds all values before anything runs.
 * @throws EngineError for an invalid value, or if the role may not introspect the schema
 */
export function bindQuery(operation: PlannedRequest): BoundQuery {
  const { pinned, planned, session, options } = operation;
  const { generation } = pinned;
  const tag = tagStatements(generation, planned, session);
  const statements = bindStatements(operation, tag);
  const calls = bindRemoteCalls(planned, session, options);
  if (planned.plan.describesSchema) generation.guard.checkIntrospection(session.role);
  return { kind: "query", operation, statements, calls, tag };
}

function bindStatements({ pinned, planned, session }: PlannedRequest, tag: TagStatement): readonly BoundStatement[] {
  const { generation } = pinned;
  const { plan, statements } = planned.plan;
  const { variables: sessionVariables, crossSourceValues } = session;
  const input = { variables: planned.variables, session: sessionVariables, crossSourceValues };
  return plan.statements.map(({ source: name, slots, callsFunctions }, i) => {
    const prepared = statements[i];
    invariant(prepared, "every planned statement is prepared");
    const statement = tag(name, prepared, () => fieldsOfStatement(plan, i));
    const user = callsFunctions ? sessionText(sessionVariables) : undefined;
    return { source: routedSource(generation, name, session), statement, values: bind(slots, input), user };
  });
}

/** Values of the fields of a query, with joined values. */
export interface QueryResults {
  /** The single row of each statement. */
  readonly rows: readonly TextRow[];
  readonly remote?: RemoteResults;
  /** Rows as bytes instead of `rows`, if the plan has `byteParts`; `undefined` for a statement without a row. */
  readonly bytes?: readonly (ByteRow | undefined)[];
  /** Introspection results, in the order of the plan's introspection fields; absent if it has none. */
  readonly schema?: readonly IntrospectionText[];
  /** Errors of failed joins, which made fields null; absent without joins. */
  readonly errors?: readonly EngineError[];
}

interface QueryRun {
  readonly caller: Caller | undefined;
  readonly response: ResponseBuilder | undefined;
  readonly deadline?: Deadline | undefined;
  /**
   * True if statements have a timeout in the database, for which each needs a transaction. Otherwise, they are cancelled
   * at the deadline as if the client had disconnected.
   */
  readonly hasTimeouts?: boolean;
}

/**
 * Runs all statements and remote calls concurrently, and joins values to each result as it arrives.
 * @throws EngineError
 */
export function runQuery(bound: BoundQuery, { caller, response }: QueryRun): Promise<QueryResults> {
  const { planned, options } = bound.operation;
  const deadline = Deadline.of(timeLimitOf(bound.operation), caller);
  const hasTimeouts = deadline !== undefined && options.maxMilliseconds === undefined;
  const reading = read(bound, { caller: deadline ?? caller, deadline, hasTimeouts, response });
  const results = deadline ? deadline.race(reading) : reading;
  const isComplete = planned.plan.introspections.length === 0 && !bound.statements.some(callsFunctions);
  return isComplete ? results : results.then((found) => complete(bound, found, response));
}

/** Adds introspection results, and reports the log position of writes by functions to the client. */
async function complete(
  { operation, statements }: BoundQuery,
  results: QueryResults,
  response: ResponseBuilder | undefined,
): Promise<QueryResults> {
  const { pinned, planned, session } = operation;
  const { introspections } = pinned.generation;
  const texts = planned.plan.introspections.map(({ nodes }) =>
    introspections.textOf(planned.schema, nodes, planned.operation(), planned.variables),
  );
  const schema = await Promise.all(texts);
  const written = statements.filter(callsFunctions).map(({ source }) => source);
  await reportLogPositions(written, session, response);
  return { ...results, schema };
}

const callsFunctions = ({ user }: BoundStatement): boolean => user !== undefined;

function read(bound: BoundQuery, run: QueryRun): Promise<QueryResults> {
  if (isSingleRemoteCall(bound.operation.planned.plan)) return callOnce(bound, run);
  if (bound.operation.planned.plan.byteParts !== undefined) return readBytes(bound, run);
  const joins = joinQuery(bound, run);
  const results = readAll(bound, run, joins);
  return joins ? results.then((found) => ({ ...found, errors: joins.errors })) : results;
}

async function readAll(bound: BoundQuery, run: QueryRun, joins: ResponseJoins | undefined): Promise<QueryResults> {
  const { statements, calls } = bound;
  const { remotes, actions } = calls;
  if (remotes.length + actions.length === 0) {
    const [only] = statements;
    // Avoids a list of promises in the usual case.
    if (only && statements.length === 1) return { rows: [await readRow(bound, only, 0, run, joins)] };
    return { rows: await readRows(bound, run, joins) };
  }
  const { parts } = bound.operation.planned.plan.plan;
  const calling = callAll(remoteCaller(bound), calls, callOptions(run), joins && new RemoteJoins(parts, joins));
  if (statements.length === 0) return { rows: [], remote: await calling };
  const [rows, remote] = await Promise.all([readRows(bound, run, joins), calling]);
  return { rows, remote };
}

async function readBytes(bound: BoundQuery, run: QueryRun): Promise<QueryResults> {
  const { statements } = bound;
  const [only] = statements;
  const read = (statement: BoundStatement, i: number) => rowsOf(bound.operation, statement, i, run, byteReads);
  // Avoids a list of promises in the usual case.
  if (only && statements.length === 1) return { rows: [], bytes: [(await read(only, 0))[0]] };
  return { rows: [], bytes: (await Promise.all(statements.map(read))).map(([row]) => row) };
}

/** Returns true if a plan is one remote call without statements, introspection or joins. */
function isSingleRemoteCall({ plan, describesSchema, introspections }: CachedPlan): boolean {
  const { statements, joins = [], remotes = [], actions = [] } = plan;
  if (describesSchema || introspections.length > 0 || statements.length > 0 || joins.length > 0) return false;
  return remotes.length + actions.length === 1;
}

/** Makes the single call of a query without the promises of `readAll`. */
function callOnce(bound: BoundQuery, run: QueryRun): Promise<QueryResults> {
  const [action] = bound.calls.actions;
  const [remote] = bound.calls.remotes;
  const caller = remoteCaller(bound);
  if (action) {
    return caller
      .action(action, callOptions(run))
      .then((text) => ({ rows: [], remote: { remotes: [], actions: [text] } }));
  }
  invariant(remote, "a single call is one of an action or of a remote schema");
  return caller
    .remote(remote, callOptions(run))
    .then((values) => ({ rows: [], remote: { remotes: [values], actions: [] } }));
}

function remoteCaller({ operation, tag }: BoundQuery): RemoteCaller {
  return new RemoteCaller(operation.pinned, operation.session, operation.options, tag);
}

const callOptions = ({ caller, deadline, response }: QueryRun): CallOptions => ({
  milliseconds: deadline?.timeoutMilliseconds(),
  response,
  caller,
});

/** Starts the joins of a query; `undefined` if it has none. */
function joinQuery({ operation, tag }: BoundQuery, run: QueryRun): ResponseJoins | undefined {
  const { pinned, planned, session, options } = operation;
  const { plan } = planned.plan;
  if (plan.joins === undefined) return undefined;
  const { remote, maxJoined } = options;
  const { generation } = pinned;
  const { variables } = planned;
  const takesFaults = run.response?.addError !== undefined;
  const input = { ...run, generation, remote, maxJoined, variables, session, takesFaults, mayUseReplicas: true, tag };
  return joinRun(plan, input);
}

const readRows = (bound: BoundQuery, run: QueryRun, joins: ResponseJoins | undefined): Promise<readonly TextRow[]> =>
  Promise.all(bound.statements.map((statement, i) => readRow(bound, statement, i, run, joins)));

async function readRow(
  { operation }: BoundQuery,
  bound: BoundStatement,
  index: number,
  run: QueryRun,
  joins: ResponseJoins | undefined,
): Promise<TextRow> {
  const [row = []] = await rowsOf(operation, bound, index, run, textReads);
  if (joins === undefined) return row;
  const { planned, session } = operation;
  const columns = planned.plan.joined.get(index);
  return columns ? timed(session.span, "join", () => joinValues(row, columns, joins)) : row;
}

/** Returns the form in which a statement returns its rows. */
type RowForm<Row> = (reader: Reader) => Reads<Row>;

const textReads: RowForm<TextRow> = (reader) => reader;

function rowsOf<Row>(
  operation: PlannedRequest,
  bound: BoundStatement,
  index: number,
  run: QueryRun,
  form: RowForm<Row>,
): Promise<readonly Row[]> {
  const { span = noSpan } = operation.session;
  if (!span.isRecording) return runStatement(operation, bound, run, form);
  const { source, statement } = bound;
  const fields = fieldsOfStatement(operation.planned.plan.plan, index);
  return spannedStatement(span, { source, statement, fields }, () => runStatement(operation, bound, run, form));
}

/**
 * Runs a statement. Functions may write, so a statement that calls a function is never retried and never runs on a
 * replica.
 */
function runStatement<Row>(
  operation: PlannedRequest,
  bound: BoundStatement,
  run: QueryRun,
  form: RowForm<Row>,
): Promise<readonly Row[]> {
  const { pinned, session } = operation;
  const { onlyReads } = operation.options;
  const { source, statement, values, user } = bound;
  const { caller, deadline, hasTimeouts } = run;
  const reader = form(user === undefined ? routedReader(pinned.generation, source, session) : source);
  // Without these, the statement needs no transaction with settings.
  const isPlain = user === undefined && hasTimeouts !== true && onlyReads !== true;
  if (isPlain) return reader.query(statement, values, caller);
  const timeoutMilliseconds = deadline?.timeoutMilliseconds();
  const beforeSending = user === undefined ? undefined : () => pinned.beforeWrite();
  const readOnly = onlyReads === true || user === undefined;
  const neverWrites = onlyReads && { neverWrites: onlyReads };
  const options = { readOnly, ...neverWrites, user, caller, timeoutMilliseconds, beforeSending };
  return reader.executeAlone(options, statement, values);
}

/** Encodes `data` as JSON. */
export function encodeQuery(
  { operation }: BoundQuery,
  results: QueryResults,
  response: ResponseBuilder | undefined,
): ResponseText | Promise<ResponseText> {
  const { plan } = operation.planned;
  const { bytes, schema = [], errors = [] } = results;
  if (bytes !== undefined)
    return timed(operation.session.span, "encode", () => encodeBytes(plan.byteParts ?? [], bytes));
  for (const error of errors) response?.addError?.(error);
  const alone = longDescription(plan, schema) ?? singleColumn(plan, results.rows);
  if (alone !== undefined) return alone;
  if (schema.length > 0)
    return Promise.all(schema.map(wholeText)).then((texts) => encodeRows(operation, results, texts));
  return encodeRows(operation, results, []);
}

function encodeRows(
  { pinned, planned, session }: PlannedRequest,
  { rows, remote }: QueryResults,
  schema: readonly string[],
): string {
  const { plan, introspections } = planned.plan;
  const describe = (part: SchemaPart): string => {
    if (part.kind === "sdl") return JSON.stringify(pinned.generation.subgraphOf(session));
    return schema[introspections.indexOf(part)] ?? "null";
  };
  return timed(session.span, "encode", () => queryData(plan, rows, describe, remote));
}

const wholeText = (text: IntrospectionText) => (typeof text === "string" ? text : text.text());

/** Returns the response of a query that only introspects the schema, if it is long. */
function longDescription(
  { plan: { parts } }: CachedPlan,
  [text = "null"]: readonly IntrospectionText[],
): LongText | undefined {
  const [part] = parts;
  if (parts.length !== 1 || part?.kind !== "introspection" || typeof text === "string") return undefined;
  return text.within(`{"${part.key}":`, "}");
}

/** Returns the response of a query with one field from a database, which may be long. */
function singleColumn({ plan: { parts } }: CachedPlan, rows: QueryResults["rows"]): ResponseText | undefined {
  const [part] = parts;
  if (parts.length !== 1 || part?.kind !== "column" || "protect" in part) return undefined;
  return encodeParts([`{"${part.key}":`, rows[part.statement]?.[part.column] ?? "null", "}"], []);
}
