/** Operations on sources: add, update, rename, drop. */

import type { z } from "zod";
import type { ObjectId } from "../../2-analyze/object-id.ts";
import type { Source, SourceCustomization, SourceKind } from "../../catalog/model.ts";
import { emptySource } from "../../catalog/model.ts";
import { object } from "../../catalog/schema/combinators.ts";
import { sourceConfiguration } from "../../catalog/schema/configuration.ts";
import { sourceName } from "../../catalog/schema/scalars.ts";
import { healthCheck, sourceCustomization } from "../../catalog/schema/sources.ts";
import { type Diagnostic, fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { allDialects, dialectOf } from "../../dialects/index.ts";
import { flag } from "../arguments.ts";
import { dropObjects, dropWithDependents } from "../drop-objects.ts";
import { changeSource, put, set } from "../edit.ts";
import { hintFor, otherKind } from "../lookups.ts";
import { type Change, operation, type Request } from "../operation.ts";

// ---------------------------------------------------------------- add, update

const addArguments = (kind: SourceKind) =>
  object({
    about: {
      name: "Name of the source, which operations and relationships refer to.",
      configuration: "Connection to the database.",
      replace_configuration:
        "Replaces configuration and customization if the source exists; without it, an existing name is an error.",
      customization: "Names in the API of everything in the source.",
      health_check: "Regular check of the connection.",
    },
    required: { name: sourceName, configuration: sourceConfiguration[kind] },
    defaulted: { replace_configuration: flag },
    optional: { customization: sourceCustomization, health_check: healthCheck },
  });

function addSource(request: Request<z.output<ReturnType<typeof addArguments>>>): Result<Change> {
  const { catalog, kind, path, input } = request;
  const existing = catalog.sources.find(({ name }) => name === input.name);
  if (existing !== undefined && !input.replace_configuration) {
    return fail("already-exists", path, `source with name "${input.name}" already exists`);
  }
  const refused = otherKind(existing, request) ?? refuseNaming(request, input.customization);
  if (refused !== undefined) return { ok: false, error: refused };
  return storeSource(request, existing === undefined ? newSource(kind, input) : replaceConfiguration(existing, input));
}

function newSource(kind: SourceKind, input: z.output<ReturnType<typeof addArguments>>): Source {
  const { name, configuration, customization, health_check } = input;
  return {
    name,
    kind,
    ...emptySource,
    configuration,
    ...(customization !== undefined && { customization }),
    ...(health_check !== undefined && { health_check }),
  };
}

/** Replaces configuration and customization. Keeps tracked objects and the health check. */
function replaceConfiguration(source: Source, input: Pick<Source, "configuration" | "customization">): Source {
  const { customization: _previous, ...others } = source;
  const { configuration, customization } = input;
  return { ...others, configuration, ...(customization !== undefined && { customization }) };
}

const updateArguments = (kind: SourceKind) =>
  object({
    about: {
      name: "Name of the source.",
      configuration: "New connection. Default: unchanged.",
      customization: "New names in the API. Default: unchanged.",
      health_check: "New health check. Default: unchanged.",
    },
    required: { name: sourceName },
    optional: {
      configuration: sourceConfiguration[kind],
      customization: sourceCustomization,
      health_check: healthCheck,
    },
  });

function updateSource(request: Request<z.output<ReturnType<typeof updateArguments>>>): Result<Change> {
  const { catalog, analysis, path, input } = request;
  const { name, ...given } = input;
  const existing = catalog.sources.find((source) => source.name === name);
  if (existing === undefined || !analysis.sources.has(name)) return noSuchSource(request, name, path);
  const refused = otherKind(existing, request) ?? refuseNaming(request, given.customization);
  if (refused !== undefined) return { ok: false, error: refused };
  return storeSource(request, { ...existing, ...given });
}

function storeSource({ catalog }: Request<unknown>, source: Source): Result<Change> {
  return ok({
    catalog: set(
      catalog,
      "sources",
      put(catalog.sources, source, ({ name }) => name === source.name),
    ),
    targets: [{ kind: "source", source: source.name }],
    effects: [{ kind: "introspect", sources: [source.name] }],
  });
}

function refuseNaming(
  { kind, analysis, path }: Request<unknown>,
  customization: SourceCustomization | undefined,
): Diagnostic | undefined {
  if (customization?.naming_convention !== "graphql-default") return undefined;
  const { experimentalFeatures } = analysis.options;
  if (dialectOf(kind).hasGraphqlNaming || !experimentalFeatures.has("naming_convention")) return undefined;
  const others = allDialects.filter(({ hasGraphqlNaming }) => hasGraphqlNaming).map((dialect) => dialect.kind);
  const message = `sources other than ${others.join(", ")} do not support graphql-default as naming convention yet`;
  return { code: "not-supported", path, message };
}

function noSuchSource({ catalog }: Request<unknown>, name: string, path: string): Result<never> {
  const hint = hintFor(
    name,
    catalog.sources.map((source) => source.name),
  );
  return fail("not-exists", path, `source with name "${name}" does not exist`, hint);
}

// ---------------------------------------------------------------- drop

const dropArguments = object({
  about: {
    name: "Name of the source.",
    cascade: "Also drops relationships of other sources that refer to it; without it, they make the operation fail.",
  },
  required: { name: sourceName },
  defaulted: { cascade: flag },
});

/**
 * Drops a source of any kind with all its tracked objects. Dependents in other sources and remote schemas are an error, or
 * are dropped with `cascade`.
 */
function dropSource(request: Request<z.output<typeof dropArguments>>): Result<Change> {
  const { catalog, analysis, path, input } = request;
  const { name, cascade } = input;
  if (!catalog.sources.some((source) => source.name === name)) return noSuchSource(request, name, path);
  const ids: readonly ObjectId[] = [{ kind: "source", source: name }];
  const effects = [{ kind: "drop_source" as const, source: name }];
  if (!analysis.sources.has(name)) {
    // No consistent object depends on an inconsistent source, so the objects to drop with `cascade` cannot be
    // determined.
    if (cascade) return fail("unexpected", path, `source with name "${name}" is inconsistent`);
    return ok({ catalog: dropObjects(catalog, ids), effects });
  }
  const dropped = dropWithDependents(request, ids, { cascade, owned: (id) => isIn(id, name) });
  return dropped.ok ? ok({ catalog: dropped.value, effects }) : dropped;
}

function isIn(id: ObjectId, source: string): boolean {
  return "source" in id && id.source === source;
}

// ---------------------------------------------------------------- rename

const renameArguments = object({
  about: { name: "Name of the source.", new_name: "New name. References of other sources keep the old one." },
  required: { name: sourceName, new_name: sourceName },
});

/** Renames a source. References to the old name are not changed: if they become inconsistent, the operation is refused. */
function renameSource({ catalog, path, input }: Request<z.output<typeof renameArguments>>): Result<Change> {
  const { name, new_name } = input;
  const names = catalog.sources.map((source) => source.name);
  if (!names.includes(name)) {
    return fail("not-exists", path, `Could not find source with name "${name}"`, hintFor(name, names));
  }
  if (names.includes(new_name)) return fail("already-exists", path, `Source with name "${new_name}" already exists`);
  return ok({
    catalog: changeSource(catalog, name, (source) => ({ ...source, name: new_name })),
    targets: [{ kind: "source", source: new_name }],
    effects: [{ kind: "rename_source", from: name, to: new_name }],
    renamed: (id) => (isIn(id, name) ? { ...id, source: new_name } : id),
  });
}

export const sourceOperations = [
  operation("add_source", {
    about: "Connects a database under a name, without tracking its tables.",
    effect: "change",
    endpoints: { metadata: "prefixed" },
    input: addArguments,
    check: "target",
    apply: addSource,
  }),
  operation("update_source", {
    about: "Changes the connection, names or health check of a source.",
    effect: "change",
    endpoints: { metadata: "prefixed" },
    input: updateArguments,
    check: "target",
    apply: updateSource,
  }),
  operation("drop_source", {
    about: "Removes a source with everything it owns from the metadata. The database keeps its data.",
    effect: "change",
    endpoints: { metadata: "prefixed" },
    input: dropArguments,
    check: "target",
    apply: dropSource,
  }),
  operation("rename_source", {
    about: "Changes the name of a source.",
    effect: "change",
    endpoints: { metadata: "plain" },
    input: renameArguments,
    check: "target",
    apply: renameSource,
  }),
];
