/** Opens the connection template and the connection set of a source. */
import { compileConnectionTemplate, connectionTemplateReason } from "../../model/templates/connection-template.ts";
import { EngineError } from "../../values/errors.ts";
import type { DatabaseSource, SourceRoutes } from "./source.ts";

export interface Routing {
  readonly template: string;
  readonly members: readonly ConnectionSetMember[];
}

interface ConnectionSetMember {
  readonly name: string;
  /** In the form of the `connection_info` of a source of that kind. */
  readonly connection_info: unknown;
}

interface RoutingParts {
  readonly connection_template?: { readonly template?: unknown };
  readonly connection_set?: readonly object[];
}

/**
 * Returns the routing of a source's `configuration`; `undefined` without a template, because the connection set is then
 * unused.
 */
export function routingOf({ connection_template, connection_set = [] }: RoutingParts): Routing | undefined {
  if (connection_template === undefined) return undefined;
  return { template: String(connection_template.template), members: connection_set as readonly ConnectionSetMember[] };
}

/**
 * Opens the routes of a source.
 * @param open opens the database of a member without connecting
 * @throws EngineError `invalid-configuration` for an invalid template, or a template with an unknown connection
 */
export function openRoutes(
  { template, members }: Routing,
  hasReplicas: boolean,
  open: (connectionInfo: unknown) => DatabaseSource,
): SourceRoutes {
  const compiled = compileConnectionTemplate(template, { hasReplicas, members: members.map(({ name }) => name) });
  if (!compiled.ok) {
    const { errors: internal } = compiled;
    throw new EngineError("invalid-configuration", "$", connectionTemplateReason(internal), { internal });
  }
  return {
    members: new Map(members.map(({ name, connection_info }) => [name, open(connection_info)])),
    resolve(request) {
      const found = compiled.value.resolve(request);
      if (found.ok) return found.value;
      const message = "the connection template of the source does not resolve to a connection";
      throw new EngineError("template-resolution-failed", "$", message, { internal: found.errors });
    },
  };
}
