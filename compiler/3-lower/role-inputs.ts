/** The parts of the Analysis that the root fields of one role depend on. */
import { type ActionRootInputs, actionRootInputs } from "./action-inputs.ts";
import { type FunctionRootInputs, functionRootInputs } from "./function-inputs.ts";
import type { RoleAnalysis } from "./inherited-roles.ts";
import type { RoleParts } from "./ir.ts";
import { type NativeRootInputs, nativeRootInputs } from "./native-rows.ts";
import { type RemoteRootInputs, remoteRootInputs } from "./remote-inputs.ts";
import { usableTables } from "./role-tables.ts";
import { namespaceOf } from "./root-field-index.ts";
import { hiddenRoots, type RootInputs, rootInputs } from "./root-inputs.ts";

export interface RoleInputs {
  /** `null` for all roles that the metadata does not name. */
  readonly role: string | null;
  readonly tables: readonly RootInputs[];
  /** Functions exposed as queries. */
  readonly functions: readonly FunctionRootInputs[];
  /** Functions exposed as mutations. */
  readonly mutationFunctions: readonly FunctionRootInputs[];
  readonly natives: readonly NativeRootInputs[];
  readonly remotes: readonly RemoteRootInputs[];
  readonly actions: readonly ActionRootInputs[];
  /** Root field namespaces by source. */
  readonly namespaces: Readonly<Record<string, string>>;
  /** True if Apollo federation is enabled. */
  readonly isSubgraph: boolean;
  /** The first fields of the modules among which table root fields are divided; then `tables` lists namespaced tables only. */
  readonly parts?: RoleParts;
}

/**
 * Collects the tables and functions behind the root fields of one role, in the order of their sources.
 * @param parts set if the root fields of tables are divided among modules
 */
export function roleInputs(analysis: RoleAnalysis, role: string | null, parts?: RoleParts): RoleInputs {
  const { experimentalFeatures } = analysis.options;
  const isSubgraph = experimentalFeatures.has("apollo_federation");
  const remotes = remoteRootInputs(analysis, role);
  const actions = actionRootInputs(analysis, role);
  if (role === null) {
    const none = { tables: [], functions: [], mutationFunctions: [], natives: [], namespaces: {} };
    return { role, ...none, remotes, actions, isSubgraph };
  }
  const hidden = hiddenRoots(analysis);
  const sources = parts ? new Map([...analysis.sources].filter(([, source]) => namespaceOf(source))) : analysis.sources;
  const tables = Array.from(usableTables({ sources }, role), ([source, table]) =>
    rootInputs(source.source.kind, table, role, hidden),
  );
  const functionsOf = (exposedAs: "query" | "mutation") =>
    [...analysis.sources.values()].flatMap((source) => functionRootInputs(source, role, exposedAs, analysis));
  const functions = functionsOf("query");
  const mutationFunctions = functionsOf("mutation");
  const natives = [...analysis.sources.values()].flatMap((source) => nativeRootInputs(source, role));
  const used = new Set([...tables, ...functions, ...mutationFunctions, ...natives].map(({ source }) => source));
  const namespaces = [...used].sort().flatMap((source) => {
    const owner = analysis.sources.get(source);
    const namespace = owner && namespaceOf(owner);
    return namespace ? [[source, namespace] as const] : [];
  });
  return {
    role,
    tables,
    functions,
    mutationFunctions,
    natives,
    remotes,
    actions,
    namespaces: Object.fromEntries(namespaces),
    isSubgraph,
    ...(parts && { parts }),
  };
}
