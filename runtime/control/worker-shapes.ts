/**
 * Shares introspection results between the workers of a server as JSON (`Siblings`), so that all workers serve the same
 * schema and each database is read once.
 */
import type { FingerprintedShape } from "../../compiler/1-introspect/introspect.ts";
import { isObject } from "../values/is-object.ts";
import type { IntrospectionResults } from "./compile-state.ts";
import type { ImportedShape, ImportedShapes } from "./imported-shapes.ts";
import type { RemoteSchemaRegistry } from "./remote-schema-registry.ts";
import type { SourceRegistry } from "./source-registry.ts";
import { remoteShapes } from "./stored-shapes.ts";

/**
 * Returns the shapes that were read since `since`, as JSON; `null` if there are none.
 */
export function exportShapes(
  { introspections, remoteIntrospections }: IntrospectionResults,
  since: IntrospectionResults,
): object | null {
  const sources = newShapes(introspections, since.introspections).map(({ name, key, shape, introspected }) => {
    return [name, key, { shape, fingerprint: introspected.fingerprinted?.fingerprint }];
  });
  const remoteSchemas = newShapes(remoteIntrospections, since.remoteIntrospections).map(({ name, key, shape }) => {
    return [name, key, remoteShapes.write(shape)];
  });
  return sources.length + remoteSchemas.length === 0 ? null : { sources, remoteSchemas };
}

/** Replaces the next introspections with shapes of another worker. With `null`, the registries introspect again. */
export async function importShapes(
  handed: object | null,
  { sources, remoteSchemas }: { readonly sources: SourceRegistry; readonly remoteSchemas: RemoteSchemaRegistry },
): Promise<void> {
  const given = isObject(handed) ? handed : {};
  sources.useImportedShapes(await readShapes(given.sources, (fingerprinted) => fingerprinted as FingerprintedShape));
  remoteSchemas.useImportedShapes(await readShapes(given.remoteSchemas, (json) => remoteShapes.read(json, true)));
}

interface Introspected<S> {
  readonly key: string;
  readonly introspection: { readonly shape: S } | { readonly error: object };
}

function newShapes<S, I extends Introspected<S>>(
  current: ReadonlyMap<string, I & Introspected<S>>,
  before: ReadonlyMap<string, Introspected<S>>,
) {
  return [...current].flatMap(([name, introspected]) => {
    const { key } = introspected;
    const shape = shapeOf(introspected);
    return shape === undefined || shape === shapeOf(before.get(name)) ? [] : [{ name, key, shape, introspected }];
  });
}

function shapeOf<S>(introspected: Introspected<S> | undefined): S | undefined {
  return introspected && "shape" in introspected.introspection ? introspected.introspection.shape : undefined;
}

async function readShapes<S>(
  entries: unknown,
  read: (json: unknown) => S | undefined | Promise<S | undefined>,
): Promise<ImportedShapes<S>> {
  const shapes = new Map<string, ImportedShape<S>>();
  for (const [name, key, json] of Array.isArray(entries) ? (entries as [string, string, unknown][]) : []) {
    const shape = await read(json);
    if (shape !== undefined) shapes.set(name, { key, shape });
  }
  return shapes;
}
