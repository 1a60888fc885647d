/** Closed mode: only saved operations run; other texts are refused by comparing them, without being parsed. */
import type { GraphqlRequest, GraphqlService } from "../../ports/graphql.ts";
import type { AdmittedSession } from "../../values/admitted-session.ts";
import { EngineError } from "../../values/errors.ts";
import type { SealedSettings } from "./artifact.ts";

type Rules = Pick<SealedSettings["guard"], "allowlist" | "query_collections">;

/** The service, for the operations of collections that the allow-list names for the session's role. */
export function closedService(service: GraphqlService, rules: Rules): GraphqlService {
  const texts = new AllowedTexts(rules);
  const check = ({ query }: GraphqlRequest, { session: { role } }: AdmittedSession): void => {
    if (texts.has(role, query)) return;
    throw new EngineError("validation-failed", "$.query", "query is not allowed");
  };
  return {
    ...service,
    async execute(request, by, caller, headers) {
      check(request, by);
      return service.execute(request, by, caller, headers);
    },
    async prepare(request, by) {
      check(request, by);
      return service.prepare(request, by);
    },
  };
}

class AllowedTexts {
  readonly #all = new Set<string>();
  readonly #byRole = new Map<string, Set<string>>();

  constructor({ allowlist, query_collections }: Rules) {
    for (const { collection, scope } of allowlist) {
      const queries = query_collections.find(({ name }) => name === collection)?.definition.queries ?? [];
      const targets = scope.global ? [this.#all] : scope.roles.map((role) => this.#ofRole(role));
      for (const target of targets) for (const { query } of queries) target.add(query);
    }
  }

  has(role: string, text: string): boolean {
    return this.#all.has(text) || this.#byRole.get(role)?.has(text) === true;
  }

  #ofRole(role: string): Set<string> {
    const known = this.#byRole.get(role) ?? new Set<string>();
    this.#byRole.set(role, known);
    return known;
  }
}
