/** Chooses the connections of a request by the connection templates of its sources (`docs/how-to/scaling.md`). */
import type { OperationDefinitionNode } from "graphql";
import type { DatabaseSource, Reader } from "../databases/sources/source.ts";
import type { ResponseBuilder } from "../ports/graphql.ts";
import type { ConnectionTarget, RoutedOperation } from "../values/connection-target.ts";
import { EngineError, invariant } from "../values/errors.ts";
import {
  latest,
  parseReadAfter,
  printReadAfter,
  type ReadAfter,
  readAfterHeader,
  requiredLogPosition,
} from "../values/read-after.ts";
import type { Session } from "../values/session.ts";
import { type Generation, sourceOf } from "./generation.ts";

type Sources = Pick<Generation, "sources" | "isRouted">;
type Routed = Pick<Session, "clientHeaders" | "variables" | "routing">;

const defaultTarget: ConnectionTarget = { routing_to: "default", value: null };

/** Adds routing to a session. Templates see the operation that `about` returns. Admins are never routed. */
export function withRouting<S extends Session>({ isRouted }: Sources, session: S, about: () => RoutedOperation): S {
  if (!isRouted || session.role === "admin") return session;
  return { ...session, routing: { operation: about(), targets: new WeakMap() } };
}

/** Returns the description of a GraphQL operation that templates see. */
export function routedOperation({ operation, name }: OperationDefinitionNode): RoutedOperation {
  return { operation_type: operation, ...(name && { operation_name: name.value }) };
}

/**
 * Returns the connection target of the request in a source. Resolved once per request and source.
 * @throws EngineError `template-resolution-failed`
 */
export function targetIn({ routes }: DatabaseSource, session: Routed): ConnectionTarget {
  if (routes === undefined || session.routing === undefined) return defaultTarget;
  const { operation, targets } = session.routing;
  const cached = targets.get(routes);
  if (cached) return cached;
  const { clientHeaders: headers = {}, variables } = session;
  const target = routes.resolve({ headers, session: variables, query: operation });
  targets.set(routes, target);
  return target;
}

/** Returns the database for statements that may write or that decide permissions; plain reads use `routedReader`. */
export function routedSource(generation: Sources, name: string, session: Routed): DatabaseSource {
  const source = sourceOf(generation, name);
  const { value } = targetIn(source, session);
  if (value === null) return source;
  const member = source.routes?.members.get(value);
  invariant(member, "a template resolves to members of its source's connection set");
  return member;
}

/**
 * Returns the database for a mutation.
 * @throws EngineError if the template routes a mutation to read replicas
 */
export function routedForWriting(generation: Sources, name: string, session: Routed): DatabaseSource {
  if (targetIn(sourceOf(generation, name), session).routing_to === "read_replicas") {
    const message = "the connection template routes this mutation to read replicas, which cannot be written to";
    throw new EngineError("not-supported", "$", message);
  }
  return routedSource(generation, name, session);
}

/**
 * Returns the reader for plain reads of a request.
 * @param source the result of `routedSource`
 */
export function routedReader(generation: Sources, source: DatabaseSource, session: Routed): Reader {
  if (session.routing === undefined) return readerOf(source, session);
  const { routing_to } = targetIn(sourceOf(generation, source.name), session);
  return routing_to === "primary" ? source : readerOf(source, session);
}

/** Returns the targets of all sources with a template, for cache keys; `null` if a template cannot be resolved. */
export function targetsOf(
  { sources, isRouted }: Sources,
  session: Routed,
): readonly (readonly [source: string, target: ConnectionTarget | null])[] {
  if (!isRouted || session.routing === undefined) return [];
  const routed = [...sources.values()].filter(({ routes }) => routes !== undefined);
  return routed.map((source) => [source.name, targetOrNull(source, session)]);
}

function targetOrNull(source: DatabaseSource, session: Routed): ConnectionTarget | null {
  try {
    return targetIn(source, session);
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}

// Read-your-writes: the client sends the log positions that it has seen, and receives new ones after a write.

type Client = Pick<Session, "clientHeaders">;

/** Returns true if the client requires reads to include the writes that it has seen. */
export function readsAfterWrites({ clientHeaders }: Client): boolean {
  return clientHeaders?.[readAfterHeader] !== undefined;
}

function readerOf(source: DatabaseSource, { clientHeaders }: Client): Reader {
  if (source.reader === undefined) return source;
  const token = clientHeaders?.[readAfterHeader];
  return source.reader(token === undefined ? undefined : requiredLogPosition(parseReadAfter(token), source.name));
}

/**
 * Merges the log positions of the written sources into the positions that the client sent, and adds the result to the
 * response.
 */
export async function reportLogPositions(
  written: Iterable<DatabaseSource>,
  { clientHeaders }: Client,
  response: ResponseBuilder | undefined,
): Promise<void> {
  const sources = [...new Set(written)].filter(({ logPosition }) => logPosition !== undefined);
  if (sources.length === 0 || response?.setReadAfter === undefined) return;
  const before = parseReadAfter(clientHeaders?.[readAfterHeader]);
  const positions = new Map<string, string>(
    before === latest ? new Map<string, string>() : (before satisfies ReadAfter),
  );
  await Promise.all(sources.map(async (source) => positions.set(source.name, await logPositionOf(source))));
  response.setReadAfter(printReadAfter(positions));
}

/**
 * Returns the log position of a source. Returns `latest` if it cannot be read, because the write has already been
 * committed.
 */
async function logPositionOf(source: DatabaseSource): Promise<string> {
  try {
    return (await source.logPosition?.()) ?? latest;
  } catch {
    return latest;
  }
}
