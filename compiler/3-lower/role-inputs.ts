/** The parts of the Analysis behind all root fields of one role. */
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
  /** `null`: every role that nothing names. */
  readonly role: string | null;
  readonly tables: readonly RootInputs[];
  /** Those that it may query. */
  readonly functions: readonly FunctionRootInputs[];
  /** Those that are mutations. */
  readonly mutationFunctions: readonly FunctionRootInputs[];
  readonly natives: readonly NativeRootInputs[];
  readonly remotes: readonly RemoteRootInputs[];
  readonly actions: readonly ActionRootInputs[];
  /** By source. */
  readonly namespaces: Readonly<Record<string, string>>;
  /** Apollo federation is on. */
  readonly isSubgraph: boolean;
  /** Where the fields of its tables stand in parts: how these begin. Then `tables` are those below a namespace. */
  readonly parts?: RoleParts;
}

/**
 * The root fields of one role come from these tables and functions, in the order of their sources.
 * @param parts where the fields of tables stand elsewhere
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
  const hidden = hiddenRoots(analysis.options);
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
