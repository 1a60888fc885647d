/**
 * Whether fields with the same key of the answer can be merged (GraphQL specification, 5.3.2). The server would check it,
 * but nothing that it refuses is sent to it.
 */
import { EngineError } from "../../../../values/errors.ts";
import { overBudget } from "../budget.ts";
import { nameIn } from "./type-text.ts";

/** A field of a request, with the fields below it in whatever fragment. */
export interface OverlapField {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  /** Equal texts mean equal arguments. */
  readonly args: string;
  /** The type that it is selected on. */
  readonly parent: string;
  /** No value is of two such types. */
  readonly onObject: boolean;
  /** With lists and non-null marks. */
  readonly type: string;
  readonly isLeaf: boolean;
  readonly fields: readonly OverlapField[];
  readonly path: string;
}

/** Comparisons of one field with what it shares its key with: more would hold up others. */
const mostSteps = 50_000;

/** @throws EngineError `validation-failed` */
export function checkOverlaps(fields: readonly OverlapField[]): void {
  const check = new OverlapCheck();
  check.sameShape(fields);
  check.sameMeaning(fields);
}

class OverlapCheck {
  #steps = 0;
  readonly #compared = new Set<string>();

  /** Whatever object comes, the values of a key have one form. */
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

  /** Fields of one object with the same key are the same field. */
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
    if (++this.#steps > mostSteps) throw overBudget("the query merges too many fields", path);
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

/** Those that can be fields of one object. */
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

/** The type without its name. */
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
