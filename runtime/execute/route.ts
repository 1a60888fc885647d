/** Which connections of its sources a request goes to: connection templates of sources decide (`docs/scaling.md`). */
import type { OperationDefinitionNode } from "graphql";
import type { DatabaseSource, Reader } from "../databases/sources/source.ts";
import type { ConnectionTarget, RoutedOperation } from "../values/connection-target.ts";
import { EngineError, invariant } from "../values/errors.ts";
import type { Session } from "../values/session.ts";
import { type Generation, sourceOf } from "./generation.ts";
import { readerOf } from "./read-after.ts";

type Sources = Pick<Generation, "sources" | "isRouted">;
type Routed = Pick<Session, "clientHeaders" | "variables" | "routing">;

const everywhere: ConnectionTarget = { routing_to: "default", value: null };

/** The session of a request whose operation templates see; admins always go where they would without a template. */
export function withRouting<S extends Session>({ isRouted }: Sources, session: S, about: () => RoutedOperation): S {
  if (!isRouted || session.role === "admin") return session;
  return { ...session, routing: { operation: about(), targets: new WeakMap() } };
}

/** What templates see of a GraphQL operation. */
export function routedOperation({ operation, name }: OperationDefinitionNode): RoutedOperation {
  return { operation_type: operation, ...(name && { operation_name: name.value }) };
}

/**
 * Where the request goes in a source. Worked out once for a request.
 * @throws EngineError `template-resolution-failed`
 */
export function targetIn({ routes }: DatabaseSource, session: Routed): ConnectionTarget {
  if (routes === undefined || session.routing === undefined) return everywhere;
  const { operation, targets } = session.routing;
  const known = targets.get(routes);
  if (known) return known;
  const { clientHeaders: headers = {}, variables } = session;
  const target = routes.resolve({ headers, session: variables, query: operation });
  targets.set(routes, target);
  return target;
}

/** The database for what is not a plain read of the request: it may write, or decides what may be read. */
export function routedSource(generation: Sources, name: string, session: Routed): DatabaseSource {
  const source = sourceOf(generation, name);
  const { value } = targetIn(source, session);
  if (value === null) return source;
  const member = source.routes?.members.get(value);
  invariant(member, "a template gives members of the connection set of its source");
  return member;
}

/** @throws EngineError where the template leads a mutation to replicas */
export function routedForWriting(generation: Sources, name: string, session: Routed): DatabaseSource {
  if (targetIn(sourceOf(generation, name), session).routing_to === "read_replicas") {
    const message = "the connection template leads this mutation to read replicas, which cannot be written to";
    throw new EngineError("not-supported", "$", message);
  }
  return routedSource(generation, name, session);
}

/** What answers the reads of a request. @param source as `routedSource` gives it */
export function routedReader(generation: Sources, source: DatabaseSource, session: Routed): Reader {
  if (session.routing === undefined) return readerOf(source, session);
  const { routing_to } = targetIn(sourceOf(generation, source.name), session);
  return routing_to === "primary" ? source : readerOf(source, session);
}

/** Of all sources that have a template, for keys of what is kept; one that does not lead anywhere is `null`. */
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
