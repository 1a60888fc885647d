/**
 * What one process of a server has read of databases and remote servers, for the others: all compile from the same, so
 * that they serve the same, and each database is read once. As JSON, for `Siblings`.
 */
import { isObject } from "../values/is-object.ts";
import type { Surroundings } from "./compile-state.ts";
import { remoteShapes, sourceShapes } from "./kept-shapes.ts";
import type { OfferedShape, OfferedShapes } from "./offered-shapes.ts";
import type { RemoteSchemaRegistry } from "./remote-schema-registry.ts";
import type { SourceRegistry } from "./source-registry.ts";

interface Looked {
  readonly key: string;
  readonly introspection: object;
}

/**
 * What was read anew; `null`: nothing.
 * @param since what was known before
 */
export function handedShapes(
  { introspections, remoteIntrospections }: Surroundings,
  since: Surroundings,
): object | null {
  const sources = writtenShapes(introspections, since.introspections, sourceShapes.write);
  const remoteSchemas = writtenShapes(remoteIntrospections, since.remoteIntrospections, remoteShapes.write);
  return sources.length + remoteSchemas.length === 0 ? null : { sources, remoteSchemas };
}

/** The registries take what is handed in place of asking, where they would ask. `null`: they ask again. */
export function offerShapes(
  handed: object | null,
  { sources, remoteSchemas }: { readonly sources: SourceRegistry; readonly remoteSchemas: RemoteSchemaRegistry },
): void {
  const given = isObject(handed) ? handed : {};
  sources.offer(readShapes(given.sources, sourceShapes.read));
  remoteSchemas.offer(readShapes(given.remoteSchemas, remoteShapes.read));
}

function writtenShapes<S>(
  known: ReadonlyMap<string, Looked>,
  before: ReadonlyMap<string, Looked>,
  write: (shape: S) => unknown,
): readonly (readonly [string, string, unknown])[] {
  return [...known].flatMap(([name, { key, introspection }]) => {
    const shape = shapeOf<S>(introspection);
    if (shape === undefined || shape === shapeOf<S>(before.get(name)?.introspection)) return [];
    return [[name, key, write(shape)] as const];
  });
}

function shapeOf<S>(introspection: object | undefined): S | undefined {
  return introspection !== undefined && "shape" in introspection ? (introspection.shape as S) : undefined;
}

function readShapes<S>(written: unknown, read: (kept: unknown) => S | undefined): OfferedShapes<S> {
  const shapes = new Map<string, OfferedShape<S>>();
  for (const [name, key, kept] of Array.isArray(written) ? (written as [string, string, unknown][]) : []) {
    const shape = read(kept);
    if (shape !== undefined) shapes.set(name, { key, shape });
  }
  return shapes;
}
