/** Operations on the kinds of databases, and `test_connection_template`. */

import type { z } from "zod";
import {
  compileConnectionTemplate,
  connectionTemplateReason,
} from "../../../runtime/model/templates/connection-template.ts";
import type { TemplateError } from "../../../runtime/model/templates/template-error.ts";
import type { Json, JsonObject, SourceKind } from "../../catalog/model.ts";
import { object, oneOf } from "../../catalog/schema/combinators.ts";
import { connectionTemplate } from "../../catalog/schema/configuration.ts";
import { sourceKindNamed, sourceKinds } from "../../catalog/schema/names.ts";
import { jsonObject, nonEmptyText, sourceArgument, text } from "../../catalog/schema/scalars.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { findSource, hintFor } from "../lookups.ts";
import { operation, type Request } from "../operation.ts";

/** Returns the name of a kind in responses: its first alias, if any. */
function shortName(kind: SourceKind): string {
  return sourceKinds[kind].aliases[0] ?? kind;
}

function listSourceKinds(): Result<Json> {
  const sources = (Object.keys(sourceKinds) as SourceKind[]).map((kind) => {
    const name = shortName(kind);
    return { kind: name, builtin: true, available: true, display_name: name };
  });
  return ok({ sources });
}

const capabilitiesArguments = object({ about: { name: "Kind of database." }, required: { name: nonEmptyText } });

/** Always fails: only kinds of databases that are added by plug-ins have capabilities, and all supported ones are built in. */
function getCapabilities({ path, input }: Request<z.output<typeof capabilitiesArguments>>): Result<never> {
  const { name } = input;
  if (sourceKindNamed(name) !== undefined) {
    return fail("data-connector-error", path, `${name} does not support Capabilities`);
  }
  const names = Object.entries(sourceKinds).flatMap(([kind, { aliases }]) => [kind, ...aliases]);
  return fail("data-connector-error", path, `Source Kind ${name} was not found`, hintFor(name, names));
}

const queryContext = object({
  about: { operation_type: "Kind of the sample operation.", operation_name: "Name of the sample operation." },
  required: { operation_type: oneOf(["query", "mutation", "subscription"]) },
  optional: { operation_name: text },
});

const templateArguments = object({
  about: {
    request_context: "The sample request.",
    source_name: "Source with the template.",
    connection_template: "Template to test. Default: the source's own.",
  },
  required: {
    request_context: object({
      about: {
        headers: "Headers of the sample request.",
        session: "Session variables of the sample request.",
        query: "The sample operation.",
      },
      optional: { headers: jsonObject, session: jsonObject, query: queryContext },
    }),
  },
  defaulted: { source_name: sourceArgument },
  optional: { connection_template: connectionTemplate },
});

/**
 * Resolves a connection template for a sample request: the template in the arguments, or else the source's template.
 */
function testConnectionTemplate(request: Request<z.output<typeof templateArguments>>): Result<Json> {
  const { source_name, request_context, connection_template } = request.input;
  const source = findSource(request, source_name);
  if (!source.ok) return source;
  const { configuration } = source.value;
  const template = connection_template ?? configuration.connection_template;
  if (template === undefined) {
    return fail("not-found", request.path, `source with name "${source_name}" has no connection template`);
  }
  const refused = (errors: readonly TemplateError[]): Result<never> =>
    fail("template-resolution-failed", request.path, connectionTemplateReason(errors), { internal: errors });
  const compiled = compileConnectionTemplate(String(template.template), {
    hasReplicas: configuration.read_replicas !== undefined,
    members: (configuration.connection_set ?? []).map(({ name }) => String(name)),
  });
  if (!compiled.ok) return refused(compiled.errors);
  const { headers = {}, session = {}, query } = request_context;
  const found = compiled.value.resolve({
    headers: Object.fromEntries(textsOf(headers)),
    session: textsOf(session),
    ...(query && { query }),
  });
  return found.ok ? ok({ result: { ...found.value } }) : refused(found.errors);
}

/** Converts headers or session variables to strings with names in lower case. */
function textsOf(given: JsonObject): readonly (readonly [name: string, value: string])[] {
  return Object.entries(given).map(([name, value]) => {
    return [name.toLowerCase(), typeof value === "string" ? value : JSON.stringify(value)];
  });
}

export const sourceKindOperations = [
  operation("list_source_kinds", {
    about: "Returns the kinds of databases that the engine supports.",
    effect: "read",
    endpoints: { metadata: "plain" },
    input: jsonObject,
    read: listSourceKinds,
  }),
  operation("get_source_kind_capabilities", {
    about: "Fails always: supported kinds of databases are built in and have no list of capabilities.",
    effect: "read",
    endpoints: { metadata: "plain" },
    input: capabilitiesArguments,
    read: getCapabilities,
  }),
  operation("test_connection_template", {
    about: "Returns the connection that the connection template of a source selects for a sample request.",
    effect: "read",
    endpoints: { metadata: "prefixed" },
    kinds: ["postgres"],
    input: templateArguments,
    read: testConnectionTemplate,
  }),
];
