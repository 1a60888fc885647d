/**
 * What one process of a server has read of databases and remote servers, for the others: all compile from the same, so
 * that they serve the same, and each database is read once. As JSON, for `Siblings`.
 */
import type { SeenShape } from "../../compiler/1-introspect/introspect.ts";
import { isObject } from "../values/is-object.ts";
import type { Surroundings } from "./compile-state.ts";
import { remoteShapes } from "./kept-shapes.ts";
import type { OfferedShape, OfferedShapes } from "./offered-shapes.ts";
import type { RemoteSchemaRegistry } from "./remote-schema-registry.ts";
import type { SourceRegistry } from "./source-registry.ts";

/**
 * What was read anew; `null`: nothing.
 * @param since what was known before
 */
export function handedShapes(
  { introspections, remoteIntrospections }: Surroundings,
  since: Surroundings,
): object | null {
  const sources = readAnew(introspections, since.introspections).map(({ name, key, shape, looked }) => {
    return [name, key, { shape, fingerprint: looked.seen?.fingerprint }];
  });
  const remoteSchemas = readAnew(remoteIntrospections, since.remoteIntrospections).map(({ name, key, shape }) => {
    return [name, key, remoteShapes.write(shape)];
  });
  return sources.length + remoteSchemas.length === 0 ? null : { sources, remoteSchemas };
}

/** The registries take what is handed in place of asking, where they would ask. `null`: they ask again. */
export async function offerShapes(
  handed: object | null,
  { sources, remoteSchemas }: { readonly sources: SourceRegistry; readonly remoteSchemas: RemoteSchemaRegistry },
): Promise<void> {
  const given = isObject(handed) ? handed : {};
  sources.offer(await readShapes(given.sources, (seen) => seen as SeenShape));
  remoteSchemas.offer(await readShapes(given.remoteSchemas, (kept) => remoteShapes.read(kept, true)));
}

interface Looked<S> {
  readonly key: string;
  readonly introspection: { readonly shape: S } | { readonly error: object };
}

function readAnew<S, L extends Looked<S>>(
  known: ReadonlyMap<string, L & Looked<S>>,
  before: ReadonlyMap<string, Looked<S>>,
) {
  return [...known].flatMap(([name, looked]) => {
    const shape = shapeOf(looked);
    return shape === undefined || shape === shapeOf(before.get(name)) ? [] : [{ name, key: looked.key, shape, looked }];
  });
}

function shapeOf<S>(looked: Looked<S> | undefined): S | undefined {
  return looked && "shape" in looked.introspection ? looked.introspection.shape : undefined;
}

async function readShapes<S>(
  written: unknown,
  read: (kept: unknown) => S | undefined | Promise<S | undefined>,
): Promise<OfferedShapes<S>> {
  const shapes = new Map<string, OfferedShape<S>>();
  for (const [name, key, kept] of Array.isArray(written) ? (written as [string, string, unknown][]) : []) {
    const shape = await read(kept);
    if (shape !== undefined) shapes.set(name, { key, shape });
  }
  return shapes;
}
