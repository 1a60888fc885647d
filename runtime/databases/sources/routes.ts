/** The connection template of a source and its connection set, as the metadata has them → where requests of roles go. */
import { compileConnectionTemplate, connectionTemplateReason } from "../../model/templates/connection-template.ts";
import { EngineError } from "../../values/errors.ts";
import type { DatabaseSource, SourceRoutes } from "./source.ts";

export interface Routing {
  readonly template: string;
  readonly members: readonly ConnectionSetMember[];
}

interface ConnectionSetMember {
  readonly name: string;
  /** As `connection_info` of a source of that kind. */
  readonly connection_info: unknown;
}

interface RoutingParts {
  readonly connection_template?: { readonly template?: unknown };
  readonly connection_set?: readonly object[];
}

/** Of the `configuration` of a source; `undefined`: it has no template, so that nothing leads to its connection set. */
export function routingOf({ connection_template, connection_set = [] }: RoutingParts): Routing | undefined {
  if (connection_template === undefined) return undefined;
  return { template: String(connection_template.template), members: connection_set as readonly ConnectionSetMember[] };
}

/**
 * @param open makes the database of a member, without connecting
 * @throws EngineError `invalid-configuration` for a template that cannot be read, or names what the source does not have
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
      const message = "the connection template of the source does not lead to a connection";
      throw new EngineError("template-resolution-failed", "$", message, { internal: found.errors });
    },
  };
}
