/** Explains root fields and their arguments: whether a role has them, and what in the metadata decides. */
import { didYouMean } from "../../runtime/values/nearest-name.ts";
import type { SelectRootField } from "../catalog/model.ts";
import { argumentSteps } from "./explain-argument.ts";
import { roleSteps, tableSteps } from "./explain-table.ts";
import { failed, passed, type Step } from "./explanation.ts";
import { operationOfRoot, type RootOperation, type RootOwner, rootOperations } from "./root-owner.ts";
import { type Member, type Members, noMembers, type ReadRoots } from "./schema-reader.ts";
import type { PermissionFacts, RoleFacts, SelectFacts, TableAction, TableReader } from "./table-facts.ts";

/** The schemas of a role and of admin, and the tables behind their root fields. */
export interface SchemaFacts {
  readonly action: Pick<TableAction, "role" | "variant">;
  readonly role: RoleFacts;
  readonly own: ReadRoots;
  readonly admin: ReadRoots;
  /** Returns the owner of a root field of admin, by the path through namespaces. */
  readonly owner: (operation: RootOperation, path: readonly string[]) => RootOwner | undefined;
  readonly table: (owner: Extract<RootOwner, { kind: "table" }>) => TableReader | undefined;
}

export interface RootQuestion {
  /** Absent: the first operation that has such a root field for admin. */
  readonly operation?: RootOperation | undefined;
  /** Names of the namespaces and of the root field, separated by dots. */
  readonly name: string;
  /** Names of an argument and of members of its value, separated by dots. */
  readonly argument?: string | undefined;
}

/** Explains a root field, or one of its arguments. */
export function explainRoot(facts: SchemaFacts, { operation: given, name, argument }: RootQuestion): readonly Step[] {
  const { role } = facts.action;
  const path = name.split(".");
  const operation = given ?? rootOperations.find((each) => memberAt(facts.admin(each), path)) ?? "query";
  const known = memberAt(facts.admin(operation), path);
  const byRole = roleSteps(facts.role, role);
  if (known === undefined) return [...byRole, unknownRoot(facts.admin(operation), operation, path)];
  const steps = rootSteps(facts, operation, path);
  const own = memberAt(facts.own(operation), path);
  if (own === undefined || steps.some(({ result }) => result === "failed")) return [...byRole, ...steps];
  const present = passed("root_field", `role ${role} has the ${operation} root field ${name}`);
  if (argument === undefined) return [...byRole, ...steps, present];
  const owner = facts.owner(operation, path);
  const table = owner?.kind === "table" ? facts.table(owner) : undefined;
  const scope = owner?.kind === "table" ? operationOfRoot(owner.root) : "select";
  const asked = { path: argument.split("."), own: own.arguments, admin: known.arguments, table, scope };
  return [...byRole, ...steps, present, ...argumentSteps(asked, facts.action)];
}

/** Explains whether a role has a root field that admin has, without the checks of its arguments. */
export function rootSteps(facts: SchemaFacts, operation: RootOperation, path: readonly string[]): readonly Step[] {
  const owner = facts.owner(operation, path);
  const isPresent = memberAt(facts.own(operation), path) !== undefined;
  const missing = (reason: string): Step =>
    failed("root_field", `role ${facts.action.role} has no root field ${path.join(".")}: ${reason}`);
  const table = owner?.kind === "table" ? facts.table(owner) : undefined;
  if (owner?.kind !== "table" || table === undefined) {
    return isPresent ? [] : [missing(otherAbsence(owner, facts.action.role))];
  }
  const found = table.facts(operationOfRoot(owner.root));
  const action = { ...facts.action, operation: operationOfRoot(owner.root), columns: [] };
  const steps = tableSteps(found, action).filter(({ check }) => check !== "role");
  if (isPresent || steps.some(({ result }) => result === "failed")) return steps;
  return [...steps, missing(absence(owner.root, operation, table, facts.action.role))];
}

function unknownRoot(root: Members, operation: RootOperation, path: readonly string[]): Step {
  const parent = path.length === 1 ? root : (memberAt(root, path.slice(0, -1))?.members ?? noMembers);
  const hint = didYouMean(path.at(-1) ?? "", parent.names());
  return failed("root_field", `the metadata defines no ${operation} root field ${path.join(".")}`, hint);
}

/** Returns a root field by the path through namespaces. */
export function memberAt(root: Members, [first = "", ...rest]: readonly string[]): Member | undefined {
  const found = root.get(first);
  return rest.length === 0 ? found : found && memberAt(found.members, rest);
}

function otherAbsence(owner: Exclude<RootOwner, { kind: "table" }> | RootOwner | undefined, role: string): string {
  if (owner === undefined || owner.kind === "table") return "no permission provides it";
  const { kind, name } = owner;
  switch (kind) {
    case "action":
      return `it has no permission on action ${name}`;
    case "function":
      return `it has no permission on function ${name}, or none on the table of its rows`;
    case "remote schema":
      return `the schema of its permission on remote schema ${name} leaves the field out, or role ${role} has no permission`;
    case "native query":
      return `it has no select permission on the logical model of ${name}`;
  }
}

/** Returns the reason why a permitted table lacks a root field. */
function absence(root: string, operation: RootOperation, table: TableReader, role: string): string {
  const { permission, key } = table.facts("select");
  if (permission === "every") return "a customization of the source removes it";
  if ("missing" in permission || permission.select === undefined) {
    return `the ${root} field also requires a select permission`;
  }
  const { columns = [] } = permission as PermissionFacts;
  const { aggregations } = permission.select;
  const hidden = key.filter((name) => !columns.includes(name));
  if ((root === "select_aggregate" || root === "select_group") && !aggregations) {
    return "the permission does not allow aggregations (allow_aggregations)";
  }
  if (root.endsWith("by_pk") && hidden.length > 0) return `the permission lacks the key column ${hidden.join(", ")}`;
  const listed = listOf(permission.select, operation, rootKeys[root] ?? root);
  if (listed !== undefined) return `the permission lists its root fields, without this one (${listed})`;
  return `the permissions of role ${role} do not provide it`;
}

/** Returns the name of the list of a select permission that lacks a root field. */
function listOf(select: SelectFacts, operation: RootOperation, key: string): string | undefined {
  const [name, list] =
    operation === "subscription"
      ? (["subscription_root_fields", select.subscriptionRootFields] as const)
      : (["query_root_fields", select.queryRootFields] as const);
  return list !== null && !(list as readonly string[]).includes(key) ? name : undefined;
}

/** Names of root fields in permissions, where they differ from the kind. */
const rootKeys: Readonly<Record<string, SelectRootField>> = { select_many: "select", select_group: "select_aggregate" };
