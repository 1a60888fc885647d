/** Selects the shape of a source: from its introspection, or from an earlier introspection if that one failed. */
import {
  compileConnectionTemplate,
  connectionTemplateReason,
} from "../../runtime/model/templates/connection-template.ts";
import type { Json, Source } from "../catalog/model.ts";
import type { Shape } from "../shape/shape.ts";
import type { SourceIntrospection } from "./analysis.ts";
import { sourceObject } from "./metadata-objects.ts";
import type { Findings } from "./rejection.ts";

/** Returns the error of the connection template. Without a valid template requests cannot be routed. */
function templateFault({ configuration }: Source): string | undefined {
  const { connection_template, connection_set = [], read_replicas = [] } = configuration;
  if (connection_template === undefined) return undefined;
  const members = connection_set.map(({ name }) => String(name));
  const { template } = connection_template;
  const compiled = compileConnectionTemplate(String(template), { hasReplicas: read_replicas.length > 0, members });
  return compiled.ok ? undefined : connectionTemplateReason(compiled.errors);
}

/** Returns the shape. An unreachable source keeps the shape of its last introspection, if any. */
export function sourceShape(source: Source, introspection: SourceIntrospection, findings: Findings): Shape | undefined {
  const fault = templateFault(source);
  if (fault !== undefined) {
    findings.add({ ...sourceObject(source), reason: `Inconsistent object: ${fault}` });
    return undefined;
  }
  if ("shape" in introspection) return introspection.shape;
  const { error, staleShape } = introspection;
  const text =
    staleShape === undefined
      ? error.message
      : `source "${source.name}"  is inconsistent because of stale database introspection is used. The source couldn't be reached for a fresh introspection because we got error: ${error.message}`;
  findings.add({
    ...sourceObject(source),
    reason: `Inconsistent object: ${text}`,
    // Errors of database drivers are JSON.
    ...(error.internal === undefined ? {} : { message: error.internal as Json }),
  });
  return staleShape;
}
