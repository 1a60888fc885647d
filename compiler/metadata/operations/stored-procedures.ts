/** Operations on stored procedures. */

import type { z } from "zod";
import type { ObjectId } from "../../2-analyze/object-id.ts";
import { storedProcedure as writeStoredProcedure } from "../../catalog/canonical/table.ts";
import type { Json, QualifiedName, SourceKind, StoredProcedure } from "../../catalog/model.ts";
import { object } from "../../catalog/schema/combinators.ts";
import { functionName, sourceKinds } from "../../catalog/schema/names.ts";
import { storedProcedure } from "../../catalog/schema/native.ts";
import { sourceName } from "../../catalog/schema/scalars.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { withSource } from "../arguments.ts";
import { dropObjects } from "../drop-objects.ts";
import { changeSource, put, sameName, set } from "../edit.ts";
import { findSourceOfKind, hintFor, isInconsistent, print } from "../lookups.ts";
import { type Change, operation, type Request } from "../operation.ts";

function procedureId({ kind }: Request<unknown>, source: string, name: QualifiedName): ObjectId {
  return { kind: "stored_procedure", source, name: print(kind, name) };
}

const trackArguments = (kind: SourceKind) => withSource(storedProcedure(sourceKinds[kind].defaultSchema));

/** Tracks a stored procedure, or replaces an inconsistent one. */
function trackProcedure(request: Request<z.output<ReturnType<typeof trackArguments>>>): Result<Change> {
  const { catalog, kind, path, input } = request;
  const { source: name, object: procedure } = input;
  const source = findSourceOfKind(request, name);
  if (!source.ok) return source;
  const matches = (each: StoredProcedure) => sameName(each.stored_procedure, procedure.stored_procedure);
  const id = procedureId(request, name, procedure.stored_procedure);
  if (source.value.stored_procedures.some(matches) && !isInconsistent(request, id)) {
    const message = `Stored procedure '${print(kind, procedure.stored_procedure)}' is already tracked.`;
    return fail("already-tracked", path, message);
  }
  return ok({
    catalog: changeSource(catalog, name, (owner) =>
      set(owner, "stored_procedures", put(owner.stored_procedures, procedure, matches)),
    ),
    targets: [id],
  });
}

const untrackArguments = (kind: SourceKind) =>
  object({
    about: { stored_procedure: "The tracked procedure." },
    required: { source: sourceName, stored_procedure: functionName(sourceKinds[kind].defaultSchema) },
  });

function untrackProcedure(request: Request<z.output<ReturnType<typeof untrackArguments>>>): Result<Change> {
  const { catalog, kind, path, input } = request;
  const source = findSourceOfKind(request, input.source);
  if (!source.ok) return source;
  const name = print(kind, input.stored_procedure);
  const names = source.value.stored_procedures.map((each) => print(kind, each.stored_procedure));
  if (!names.includes(name)) {
    const message = `Stored Procedure "${name}" not found in source "${input.source}".`;
    return fail("not-found", path, message, hintFor(name, names));
  }
  return ok({ catalog: dropObjects(catalog, [procedureId(request, input.source, input.stored_procedure)]) });
}

const getArguments = object({ required: { source: sourceName } });

function getProcedures(request: Request<z.output<typeof getArguments>>): Result<Json> {
  const source = findSourceOfKind(request, request.input.source);
  if (!source.ok) return source;
  const nameOf = ({ stored_procedure: { schema, name } }: StoredProcedure) => JSON.stringify([schema, name]);
  const procedures = [...source.value.stored_procedures];
  procedures.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return ok(procedures.map(writeStoredProcedure));
}

const mssqlOnly: { readonly kinds: readonly SourceKind[] } = { kinds: ["mssql"] };

export const storedProcedureOperations = [
  operation("get_stored_procedure", {
    about: "Returns the tracked stored procedures of a source.",
    effect: "read",
    endpoints: { metadata: "prefixed" },
    ...mssqlOnly,
    input: getArguments,
    read: getProcedures,
  }),
  operation("track_stored_procedure", {
    about: "Adds a root field that runs a stored procedure of SQL Server.",
    effect: "change",
    endpoints: { metadata: "prefixed" },
    ...mssqlOnly,
    input: trackArguments,
    check: "target",
    atomic: true,
    apply: trackProcedure,
  }),
  operation("untrack_stored_procedure", {
    about: "Removes a stored procedure from the API.",
    effect: "change",
    endpoints: { metadata: "prefixed" },
    ...mssqlOnly,
    input: untrackArguments,
    check: "new-entries",
    atomic: true,
    apply: untrackProcedure,
  }),
];
