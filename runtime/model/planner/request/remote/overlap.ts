/**
 * Checks that fields with the same response key can be merged (GraphQL specification, 5.3.2). The remote server checks
 * this too, but it never receives invalid requests.
 */
import { EngineError } from "../../../../values/errors.ts";
import { overBudget } from "../budget.ts";
import { nameIn } from "./type-text.ts";

/** A field of a request with its nested fields, including those in fragments. */
export interface OverlapField {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  /** Equal texts mean equal arguments. */
  readonly args: string;
  /** Type that the field is selected on. */
  readonly parent: string;
  /** True if `parent` is an object type: no value has two object types. */
  readonly onObject: boolean;
  /** Type in GraphQL syntax, with list and non-null marks. */
  readonly type: string;
  readonly isLeaf: boolean;
  readonly fields: readonly OverlapField[];
  readonly path: string;
}

/** Maximum number of comparisons; more would delay other requests. */
const maxSteps = 50_000;

/**
 * Checks that fields with the same response key can be merged.
 * @throws EngineError `validation-failed`
 */
export function checkOverlaps(fields: readonly OverlapField[]): void {
  const check = new OverlapCheck();
  check.sameShape(fields);
  check.sameMeaning(fields);
}

class OverlapCheck {
  #steps = 0;
  readonly #compared = new Set<string>();

  /** Checks that the values of each response key have one shape, whatever the object's type. */
  sameShape(fields: readonly OverlapField[]): void {
    for (const [first, ...others] of byKey(fields)) {
      if (first === undefined || others.length === 0) {
        if (first) this.sameShape(first.fields);
        continue;
      }
      for (const other of others) {
        this.#step(other);
        if (!isSameShape(first, other)) {
          throw invalid(other, `selections of different types specify the same response name, '${other.key}'`);
        }
      }
      this.sameShape([first, ...others].flatMap((field) => field.fields));
    }
  }

  /** Checks that fields of one object with the same response key are the same field. */
  sameMeaning(fields: readonly OverlapField[]): void {
    const set = fields.map(({ id }) => id).join();
    if (this.#compared.has(set)) return;
    this.#compared.add(set);
    for (const group of byKey(fields)) {
      for (const together of byParent(group)) {
        const [first] = together;
        for (const other of together) {
          this.#step(other);
          if (first) checkSame(first, other);
        }
        this.sameMeaning(together.flatMap((field) => field.fields));
      }
    }
  }

  #step({ path }: OverlapField): void {
    if (++this.#steps > maxSteps) throw overBudget("the query merges too many fields", path);
  }
}

function byKey(fields: readonly OverlapField[]): Iterable<readonly OverlapField[]> {
  const groups = new Map<string, OverlapField[]>();
  for (const field of fields) {
    const group = groups.get(field.key);
    if (group) group.push(field);
    else groups.set(field.key, [field]);
  }
  return groups.values();
}

/** Groups fields that can belong to one object. */
function byParent(group: readonly OverlapField[]): Iterable<readonly OverlapField[]> {
  const anywhere = group.filter(({ onObject }) => !onObject);
  const parents = new Set(group.flatMap(({ onObject, parent }) => (onObject ? [parent] : [])));
  if (parents.size === 0) return [anywhere];
  return [...parents].map((parent) => group.filter((field) => !field.onObject || field.parent === parent));
}

function isSameShape(a: OverlapField, b: OverlapField): boolean {
  if (a.isLeaf || b.isLeaf) return a.type === b.type;
  return formOf(a.type) === formOf(b.type);
}

/** Returns the list and non-null marks of a type. */
function formOf(type: string): string {
  return type.replace(nameIn(type), "");
}

function checkSame(a: OverlapField, b: OverlapField): void {
  if (a.name !== b.name) {
    throw invalid(b, `selection of both '${a.name}' and '${b.name}' specify the same response name, '${b.key}'`);
  }
  if (a.args !== b.args) {
    throw invalid(b, `inconsistent arguments between multiple selections of field '${b.name}'`);
  }
}

const invalid = ({ path }: OverlapField, message: string): EngineError =>
  new EngineError("validation-failed", path, message);
