/**
 * Finds the objects that an operation names, and returns errors for missing objects. An inconsistent object can be
 * changed, dropped and created again, but cannot own new objects.
 */

import { didYouMean } from "../../runtime/values/nearest-name.ts";
import { inconsistentObjects } from "../2-analyze/inconsistency.ts";
import { type ObjectId, objectKey } from "../2-analyze/object-id.ts";
import type { QualifiedName, Source, SourceKind, Table, TrackedFunction } from "../catalog/model.ts";
import { printName, sourceKinds } from "../catalog/schema/names.ts";
import { type Diagnostic, fail, ok, type Result } from "../diagnostics/diagnostic.ts";
import type { TableShape } from "../shape/shape.ts";
import { sameName, tableNamed } from "./edit.ts";
import type { Site, State } from "./operation.ts";

type At = State & Pick<Site, "kind" | "path">;

/** Returns `{ hint }` with the nearest name, or `{}` if no name is near. */
export function hintFor(given: string, candidates: Iterable<string>): { readonly hint?: string } {
  const hint = didYouMean(given, candidates);
  return hint === undefined ? {} : { hint };
}

/** Prints a table or function name for messages, without quotes. */
export function print(kind: SourceKind, name: QualifiedName): string {
  return printName(name, sourceKinds[kind].defaultSchema);
}

export function isInconsistent({ analysis }: Pick<State, "analysis">, id: ObjectId): boolean {
  const key = objectKey(id);
  return analysis.inconsistencies.some(
    (entry) => entry.informational !== true && inconsistentObjects(entry).some((each) => objectKey(each) === key),
  );
}

/**
 * Finds a reachable source by name. Errors: no such source, a source of another kind than the operation's, an
 * inconsistent source.
 */
export function findSource(at: At, name: string): Result<Source> {
  const source = at.catalog.sources.find((each) => each.name === name);
  if (source === undefined) {
    const hint = hintFor(
      name,
      at.catalog.sources.map((each) => each.name),
    );
    return fail("not-exists", at.path, `source with name "${name}" does not exist`, hint);
  }
  const mismatch = otherKind(source, at);
  if (mismatch !== undefined) return { ok: false, error: mismatch };
  if (!at.analysis.sources.has(name)) {
    return fail("unexpected", at.path, `source with name "${name}" is inconsistent`);
  }
  return ok(source);
}

/** Returns the error for a source of another kind than the operation's. */
export function otherKind(
  source: Source | undefined,
  { kind, path }: Pick<Site, "kind" | "path">,
): Diagnostic | undefined {
  if (source === undefined || source.kind === kind) return undefined;
  const message = `source with name "${source.name}" has backend type "${source.kind}" which does not match the expected type ${kind}`;
  return { code: "not-exists", path, message };
}

export interface FoundTable {
  readonly source: Source;
  readonly table: Table;
}

/** Finds a tracked table, including an inconsistent one, which a change may repair. */
export function findTable(at: At, sourceName: string, name: QualifiedName): Result<FoundTable> {
  const source = findSource(at, sourceName);
  if (!source.ok) return source;
  const table = trackedTable(source.value, name);
  return table === undefined ? noSuchTable(at, source.value, name) : ok({ source: source.value, table });
}

/** Finds a tracked table that is consistent, so that it can own new objects. */
export function findConsistentTable(at: At, sourceName: string, name: QualifiedName): Result<FoundTable> {
  const found = findTable(at, sourceName, name);
  if (!found.ok || !isInconsistent(at, { kind: "table", source: sourceName, table: name })) return found;
  return noSuchTable(at, found.value.source, name);
}

function noSuchTable(at: At, source: Source, name: QualifiedName): Result<never> {
  const text = print(source.kind, name);
  const tracked = source.tables.map(({ table }) => print(source.kind, table));
  return fail(
    "not-exists",
    at.path,
    `table "${text}" does not exist in source: ${source.name}`,
    hintFor(text, tracked),
  );
}

export function trackedTable(source: Source, name: QualifiedName): Table | undefined {
  return tableNamed(source.tables, name);
}

/** Finds a tracked function, including an inconsistent one. */
export function findFunction(at: At, source: Source, name: QualifiedName): Result<TrackedFunction> {
  const found = source.functions.find((each) => sameName(each.function, name));
  if (found !== undefined) return ok(found);
  const text = print(source.kind, name);
  const tracked = source.functions.map((each) => print(source.kind, each.function));
  const message = `function "${text}" does not exist in source: ${source.name}`;
  return fail("not-exists", at.path, message, hintFor(text, tracked));
}

export function shapeOf(
  { analysis }: Pick<State, "analysis">,
  source: string,
  name: QualifiedName,
): TableShape | undefined {
  return analysis.sources.get(source)?.shape.tables.find((shape) => sameName(shape, name));
}

/** Finds a reachable source of the operation's kind. Its error differs from the errors of `findSource`. */
export function findSourceOfKind({ catalog, analysis, kind, path }: At, name: string): Result<Source> {
  const ofKind = catalog.sources.filter((source) => source.kind === kind);
  const found = ofKind.find((source) => source.name === name && analysis.sources.has(name));
  if (found !== undefined) return ok(found);
  const names = ofKind.map((source) => source.name);
  return fail("not-found", path, `Source '${name}' of kind ${kind} not found.`, hintFor(name, names));
}
