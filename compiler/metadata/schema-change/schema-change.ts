/**
 * What SQL that an administrator ran does to the metadata (`metadata-api.md` 4.4). Input: the metadata with its Analysis,
 * and the Shapes of the source before and after; output: the metadata that fits the database again, or the error
 * that has to undo the SQL.
 */

import { invariant } from "../../../runtime/values/errors.ts";
import type { Analysis } from "../../2-analyze/analysis.ts";
import { cannotDropMessage, dependentsOnType, describeObject } from "../../2-analyze/dependencies.ts";
import type { ObjectId } from "../../2-analyze/object-id.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { Source } from "../../catalog/model.ts";
import { type Diagnostic, ok, type Result } from "../../diagnostics/diagnostic.ts";
import type { Shape } from "../../shape/shape.ts";
import { dropObjects } from "../drop-objects.ts";
import { print } from "../lookups.ts";
import { differenceOf, type SourceDifference } from "./difference.ts";
import { type Drops, dropsOf } from "./drops.ts";
import { refuseComputedFields, refuseOverloads, refuseVolatile } from "./function-rules.ts";
import { refuseNameClashes } from "./name-clashes.ts";
import { renameInCatalog } from "./rename-in-catalog.ts";
import { Renames } from "./renames.ts";

export interface SchemaChangeInput {
  readonly catalog: Catalog;
  readonly analysis: Analysis;
  /** The source that the SQL ran on. */
  readonly source: string;
  readonly before: Shape;
  readonly after: Shape;
  /** What depends on something that is gone goes, too, instead of being the error. */
  readonly cascade: boolean;
  /** Path of errors. */
  readonly path: string;
}

export interface SchemaChange {
  /** The same object where the metadata fits as it is. */
  readonly catalog: Catalog;
  /** The identity that an object of the old metadata has in the new one. */
  readonly renamed: (id: ObjectId) => ObjectId;
}

export function schemaChange(input: SchemaChangeInput): Result<SchemaChange> {
  const { catalog, analysis, before, after, path } = input;
  const source = sourceIn(catalog, input.source);
  const difference = differenceOf(source, before, after);
  const drops = dropsOf(analysis, source.name, difference);
  const refusal =
    refuseOverloads(source, difference, path) ??
    refuseDependents(input, drops) ??
    refuseVolatile(source, difference, path);
  if (refusal !== undefined) return { ok: false, error: refusal };
  const left = dropObjects(catalog, [...drops.dependents, ...drops.objects]);
  const renames = new Renames(source, difference);
  const question = { source: sourceIn(left, source.name), renames, analysis, difference, path };
  const laterRefusal =
    refuseComputedFields(question.source, difference, path) ??
    refuseNameClashes(question) ??
    refuseRetypedColumns(input, source, difference, drops);
  if (laterRefusal !== undefined) return { ok: false, error: laterRefusal };
  return ok({ catalog: renameInCatalog(left, analysis, renames), renamed: (id) => renames.object(id) });
}

function sourceIn({ sources }: Catalog, name: string): Source {
  const source = sources.find((each) => each.name === name);
  invariant(source !== undefined, `source ${name} is not in the metadata`);
  return source;
}

function refuseDependents(
  { catalog, cascade, path }: SchemaChangeInput,
  { dependents }: Drops,
): Diagnostic | undefined {
  if (cascade || dependents.length === 0) return undefined;
  return { code: "dependency-error", path, message: cannotDropMessage(dependents, catalog) };
}

/** A static value was written for the old type, and nothing can be cascaded that would make it one of the new. */
function refuseRetypedColumns(
  { catalog, analysis, path }: SchemaChangeInput,
  source: Source,
  { tables }: SourceDifference,
  drops: Drops,
): Diagnostic | undefined {
  for (const { name: table, retypedColumns } of tables) {
    for (const column of retypedColumns) {
      const id: ObjectId = { kind: "column", source: source.name, table, column };
      const dependents = dependentsOnType(analysis, id).filter((each) => !drops.includes(each));
      if (dependents.length === 0) continue;
      const texts = dependents.map((each) => describeObject(each, catalog)).join(", ");
      const message =
        `cannot change type of column "${column}" in table "${print(source.kind, table)}" ` +
        `because of the following dependencies: ${texts}`;
      return { code: "dependency-error", path, message };
    }
  }
  return undefined;
}
