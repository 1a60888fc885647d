/** Explains access from the access file of an artifact, with the texts of a server. */
import { type ExplainedAccess, factsInAccess, schemaFactsOf } from "../../../compiler/access/access-facts.ts";
import { ruleSteps } from "../../../compiler/access/explain-limits.ts";
import { explainRoot } from "../../../compiler/access/explain-root.ts";
import { tableSteps } from "../../../compiler/access/explain-table.ts";
import type { Access } from "../../../compiler/access/model.ts";
import { accessKey } from "../../../compiler/access/table-access.ts";
import type { SourceKind } from "../../../compiler/catalog/model.ts";
import { printName, sourceKinds } from "../../../compiler/catalog/schema/names.ts";
import { type Environment, parseOptions } from "../../config/options.ts";
import { checkLength } from "../../control/explain-access.ts";
import { checkArguments, type ExplainInput } from "../../control/explain-on-table.ts";
import { type AccessExplanation, shownFilters, unevaluatedSteps, withVerdict } from "../../control/explanation.ts";
import { AllowList } from "../../execute/guard/guard.ts";
import { EngineError, invariant, pathTo } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import type { Side } from "../diff/side.ts";
import { type DocumentRules, explainDocument } from "./explain-document.ts";

/** @throws EngineError for names that do not exist */
export function explainArtifact(
  input: ExplainInput,
  path: string,
  artifact: Side,
  environment: Environment,
): AccessExplanation {
  const access = withTerms(artifact);
  const { role, backend, on, root_field: root, request } = input;
  if (on) return explainOn(on, input, pathTo(path, "on"), { access, sources: artifact.sources ?? {} });
  const facts = schemaFactsOf(access, role, backend ? "backend" : "frontend");
  const rules = rulesOf(access, role, admissionOf(artifact, environment));
  if (root) {
    checkLength(root, pathTo(path, "root_field"));
    return withVerdict({ steps: [...ruleSteps(rules, role), ...explainRoot(facts, root)] });
  }
  invariant(request, "the arguments have `on`, `root_field` or `request`");
  const { query, variables, operation_name: operationName = null } = request;
  const sent = { query, operationName, variables: isObject(variables) ? variables : {} };
  return withVerdict({ steps: explainDocument(sent, facts, rules) });
}

interface Admission {
  /** A closed artifact compares texts, also of admin; an allow-list compares documents. */
  readonly kind: "any" | "allow-list" | "closed";
  /** Operations for single roles count. */
  readonly hasRoles: boolean;
}

function admissionOf({ closed }: Side, environment: Environment): Admission {
  const { enableAllowlist, allowlistScope } = parseOptions({}, environment);
  if (closed === true) return { kind: "closed", hasRoles: true };
  return { kind: enableAllowlist ? "allow-list" : "any", hasRoles: allowlistScope === "roles" };
}

function withTerms({ access, name, product }: Side): ExplainedAccess {
  const { terms } = access;
  if (terms) return { ...access, terms };
  const message = `artifact ${name} of version ${product} has no terms of explanations: build it again`;
  throw new EngineError("not-supported", "$", message);
}

interface Place {
  readonly access: ExplainedAccess;
  /** Kinds of the sources, by name. */
  readonly sources: Readonly<Record<string, string>>;
}

function explainOn(
  on: NonNullable<ExplainInput["on"]>,
  { role, backend }: ExplainInput,
  path: string,
  place: Place,
): AccessExplanation {
  const { access } = place;
  const { operation } = on;
  const key = keyOf(on, path, place);
  const facts = factsInAccess(access, key, { role, operation });
  const columns = Object.keys(access.roles.admin?.tables[key]?.select?.columns ?? {});
  checkArguments(on, { displayName: facts.displayName, columns }, path);
  const named = [...(on.columns ?? []), ...Object.keys(on.values ?? {})];
  const variant = backend ? "backend" : "frontend";
  const steps = tableSteps(facts, { role, operation, columns: named, variant });
  const filters = access.terms.tables[key]?.permissions[role]?.[operation] ?? {};
  return withVerdict({
    steps: [...steps, ...unevaluatedSteps(filters, facts.displayName)],
    ...shownFilters(filters),
  });
}

/** @throws EngineError for a source or a table that the artifact does not have */
function keyOf({ source, table }: NonNullable<ExplainInput["on"]>, path: string, { access, sources }: Place): string {
  const names = Object.keys(sources);
  if (!names.includes(source)) {
    const message = `source with name "${source}" does not exist`;
    throw new EngineError("not-exists", path, message, { hint: () => didYouMean(source, names) });
  }
  const { defaultSchema } = sourceKinds[sources[source] as SourceKind];
  const name = { schema: table.schema || defaultSchema, name: table.name };
  const key = accessKey(source, name);
  if (Object.hasOwn(access.terms.tables, key)) return key;
  const text = printName(name, defaultSchema);
  const tracked = Object.values(access.terms.tables).flatMap((each) =>
    each.source === source ? each.displayName : [],
  );
  const message = `table "${text}" does not exist in source: ${source}`;
  throw new EngineError("not-exists", path, message, { hint: () => didYouMean(text, tracked) });
}

function rulesOf({ roles, savedOperations }: Access, role: string, { kind, hasRoles }: Admission): DocumentRules {
  const limits = roles[role]?.limits ?? {};
  if (kind === "any" || (kind === "allow-list" && role === "admin")) return { limits, allows: () => true };
  const allowed = Object.entries(savedOperations).filter(
    ([, { allowed: by }]) => by === "every role" || (hasRoles && by.includes(role)),
  );
  const texts = allowed.map(([, { text }]) => text);
  const list = new AllowList([{ name: "", roles: null, queries: texts }]);
  return {
    limits,
    onlySaved: allowed.map(([name]) => name),
    allows: ({ document }, text) => (kind === "closed" ? texts.includes(text) : list.allows(role, document)),
  };
}
