/**
 * Explains a GraphQL document from the access file of an artifact: the fields and arguments that the role has, the
 * limits on its size, and the allow-list. The types of values are not checked, because that requires a planner.
 */
import { type FieldNode, Kind, type SelectionNode, type SelectionSetNode, type ValueNode } from "graphql";
import { argumentSteps } from "../../../compiler/access/explain-argument.ts";
import { admissionSteps, type RequestRules } from "../../../compiler/access/explain-limits.ts";
import { explainRoot, memberAt, type SchemaFacts } from "../../../compiler/access/explain-root.ts";
import { aggregatedBy, tableSteps } from "../../../compiler/access/explain-table.ts";
import { failed, passed, type Step, unknown } from "../../../compiler/access/explanation.ts";
import { operationOfRoot, type RootOperation } from "../../../compiler/access/root-owner.ts";
import type { Member, Members } from "../../../compiler/access/schema-reader.ts";
import type { TableReader } from "../../../compiler/access/table-facts.ts";
import type { PermissionKind } from "../../../compiler/catalog/model.ts";
import { budgetOf } from "../../model/planner/request/budget.ts";
import { type Operation, readOperation } from "../../model/planner/request/document.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { didYouMean } from "../../values/nearest-name.ts";

export interface ExplainedDocument {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface DocumentRules extends RequestRules {
  /** Returns true if the allow-list, if enabled, contains the document. */
  readonly allows: (operation: Operation, text: string) => boolean;
}

export function explainDocument(
  { query, operationName, variables }: ExplainedDocument,
  facts: SchemaFacts,
  rules: DocumentRules,
): readonly Step[] {
  const { role } = facts.action;
  const operation = read(query, operationName, role);
  if ("result" in operation) return [operation];
  const found = new DocumentSteps(facts, operation, variables).steps();
  const steps = [
    ...found,
    ...admissionSteps(rules, role, rules.allows(operation, query)),
    ...sizeSteps(operation, rules),
  ];
  const rest = unknown("request", "the types of values, and filters on rows, are checked only by a server");
  return steps.some(({ result }) => result === "failed") ? steps : [...steps, rest];
}

function read(query: string, operationName: string | null, role: string): Operation | Step {
  try {
    return readOperation(query, operationName, budgetOf(role));
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return failed("request", `${error.message} (${error.code} at ${error.path})`, error.hint);
  }
}

function sizeSteps({ measure }: Operation, { limits }: RequestRules): readonly Step[] {
  const sizes = { depth: measure.depth, node: measure.nodes };
  return Object.entries(sizes).flatMap(([name, size]) => {
    const limit = limits[`${name}_limit`];
    if (limit === undefined) return [];
    const isWithin = size <= Number(limit);
    const reason = `${name} of ${size} ${isWithin ? "is within" : "exceeds"} the limit of ${String(limit)}`;
    return [isWithin ? passed("limit", reason) : failed("limit", reason)];
  });
}

/** A selection with the fields that the role and admin have there. */
interface Place {
  readonly own: Members;
  readonly admin: Members;
  /** Absent for objects other than rows. */
  readonly table: TableReader | undefined;
  readonly scope: PermissionKind;
}

interface SelectedField {
  readonly node: FieldNode;
  /** In a fragment with a type. */
  readonly isTyped: boolean;
}

class DocumentSteps {
  readonly #facts: SchemaFacts;
  readonly #operation: Operation;
  readonly #variables: ExplainedDocument["variables"];
  /** By text, because fields may be selected many times. */
  readonly #steps = new Map<string, Step>();

  constructor(facts: SchemaFacts, operation: Operation, variables: ExplainedDocument["variables"]) {
    this.#facts = facts;
    this.#operation = operation;
    this.#variables = variables;
  }

  steps(): readonly Step[] {
    const { operation, selectionSet } = this.#operation.definition;
    this.#addRoots(operation, selectionSet, []);
    return [...this.#steps.values()];
  }

  #add(steps: readonly Step[]): void {
    for (const step of steps) this.#steps.set(JSON.stringify(step), step);
  }

  /** Root fields may be below the namespace of a source. */
  #addRoots(operation: RootOperation, set: SelectionSetNode, above: readonly string[]): void {
    const { own, admin } = this.#facts;
    for (const { node } of this.#fieldsOf(set)) {
      const path = [...above, node.name.value];
      const owner = this.#facts.owner(operation, path);
      const known = memberAt(admin(operation), path);
      if (owner === undefined && above.length === 0 && known && node.selectionSet) {
        this.#addRoots(operation, node.selectionSet, path);
        continue;
      }
      this.#add(explainRoot(this.#facts, { operation, name: path.join(".") }));
      const member = memberAt(own(operation), path);
      if (known === undefined || member === undefined) continue;
      const table = owner?.kind === "table" ? this.#facts.table(owner) : undefined;
      const scope = owner?.kind === "table" ? operationOfRoot(owner.root) : "select";
      this.#addField(node, member, known, { table, scope });
    }
  }

  #addField(node: FieldNode, own: Member, admin: Member, at: Pick<Place, "table" | "scope">): void {
    for (const { name, value } of node.arguments ?? []) {
      for (const path of this.#pathsOf(value)) {
        const question = { path: [name.value, ...path], own: own.arguments, admin: admin.arguments, ...at };
        const steps = argumentSteps(question, this.#facts.action);
        this.#add(steps.filter(({ result }) => result === "failed"));
      }
    }
    if (node.selectionSet) {
      this.#addSelections(node.selectionSet, { own: own.members, admin: admin.members, ...at, scope: "select" });
    }
  }

  #addSelections(set: SelectionSetNode, { own, admin, table, scope }: Place): void {
    // Members of unions are not in the access file.
    if (admin.names().length === 0) return;
    for (const { node, isTyped } of this.#fieldsOf(set)) {
      const name = node.name.value;
      const known = admin.get(name);
      const member = own.get(name);
      if (known === undefined) {
        // A fragment may be on another type than the selection around it.
        const absence = failed("columns", `the type has no field ${name}`, didYouMean(name, admin.names()));
        if (!isTyped) this.#add([absence]);
      } else if (member === undefined) {
        this.#add([missingField(name, table, this.#facts)]);
      } else {
        this.#addField(node, member, known, {
          table: table?.related(name) ?? table?.related(aggregatedBy(name)) ?? table,
          scope,
        });
      }
    }
  }

  /** Returns the fields of a selection and of its fragments, except those of every type. */
  #fieldsOf({ selections }: SelectionSetNode, isTyped = false): readonly SelectedField[] {
    return selections.flatMap((node: SelectionNode): readonly SelectedField[] => {
      if (node.kind === Kind.FIELD) return node.name.value.startsWith("__") ? [] : [{ node, isTyped }];
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : this.#operation.fragments.get(node.name.value);
      return fragment ? this.#fieldsOf(fragment.selectionSet, isTyped || fragment.typeCondition !== undefined) : [];
    });
  }

  /** Returns the paths of the members of a value; of a variable, if its value is given. */
  #pathsOf(value: ValueNode): readonly (readonly string[])[] {
    switch (value.kind) {
      case Kind.OBJECT:
        return pathsBelow(value.fields.map((field) => [field.name.value, this.#pathsOf(field.value)]));
      case Kind.LIST:
        return unique(value.values.flatMap((item) => this.#pathsOf(item)));
      case Kind.VARIABLE:
        return pathsOfJson(this.#variables[value.name.value]);
      default:
        return [[]];
    }
  }
}

/** Returns the reason why a role lacks a field of a type: the permission of its table. */
function missingField(name: string, table: TableReader | undefined, { action }: SchemaFacts): Step {
  const column = table?.columnOf(name) ?? name;
  const steps = table ? tableSteps(table.facts("select"), { ...action, operation: "select", columns: [column] }) : [];
  const decisive = steps.find(({ check, result }) => check === "columns" && result === "failed");
  return decisive ?? failed("columns", `role ${action.role} has no field ${name} of the type`);
}

function pathsOfJson(value: unknown): readonly (readonly string[])[] {
  if (Array.isArray(value)) return unique(value.flatMap(pathsOfJson));
  if (!isObject(value)) return [[]];
  return pathsBelow(Object.entries(value).map(([name, inner]) => [name, pathsOfJson(inner)]));
}

function pathsBelow(
  members: readonly (readonly [string, readonly (readonly string[])[]])[],
): readonly (readonly string[])[] {
  return members.length === 0 ? [[]] : members.flatMap(([name, paths]) => paths.map((path) => [name, ...path]));
}

/** Elements of a list usually have the same members. */
const unique = (paths: readonly (readonly string[])[]): readonly (readonly string[])[] => [
  ...new Map(paths.map((path) => [path.join("."), path])).values(),
];
