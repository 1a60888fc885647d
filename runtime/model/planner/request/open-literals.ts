/**
 * Literals that a plan leaves open: they are used only as parameter values, so documents with other literals can share
 * the plan. Any other access to a literal during planning, through the syntax tree or the variables, fixes its value
 * for the plan. Accesses are intercepted, so planning code needs no special handling.
 */
import { type DocumentNode, type FloatValueNode, type IntValueNode, Kind, type StringValueNode, visit } from "graphql";
import type { ValueSource } from "../../definitions/parameters.ts";
import type { ScalarTypeDef } from "../../schema/types.ts";
import type { TextLiterals } from "./text-literals.ts";

type LiteralNode = IntValueNode | FloatValueNode | StringValueNode;
type Variables = Readonly<Record<string, unknown>>;

export class OpenLiterals {
  readonly #values: TextLiterals["values"];
  readonly #indexes = new Map<object, number>();
  readonly #open = new Set<number>();
  readonly #seen = new Set<number>();

  /**
   * Intercepts accesses to the literals of a document.
   * @param document parsed from the text; its nodes are modified
   */
  constructor(document: DocumentNode, { values }: TextLiterals) {
    this.#values = values;
    const watch = (node: LiteralNode): undefined => this.#watch(node, this.#indexes.size);
    visit(document, { [Kind.INT]: watch, [Kind.FLOAT]: watch, [Kind.STRING]: watch });
  }

  #watch(node: LiteralNode, index: number): undefined {
    const { value } = node;
    this.#indexes.set(node, index);
    const look = (): string => {
      this.#seen.add(index);
      return value;
    };
    Object.defineProperty(node, "value", { enumerable: true, get: look });
  }

  /** Returns the value source of a literal that can be a parameter; `undefined` if planning must read its value. */
  sourceOf(node: object, { structure, enumeration }: ScalarTypeDef): ValueSource | undefined {
    const index = this.#indexes.get(node);
    if (index === undefined || structure !== undefined || enumeration !== undefined) return undefined;
    this.#open.add(index);
    return { kind: "literal", index };
  }

  /** Returns the indexes of the literals whose values are fixed in the plan. */
  fixed(): readonly number[] {
    return this.#values.flatMap((_, index) => (this.#open.has(index) && !this.#seen.has(index) ? [] : [index]));
  }

  /** Returns the variables with the literals, intercepting accesses to literals. */
  watched(variables: Variables): Variables {
    const watched: Record<string, unknown> = Object.assign(Object.create(null), variables);
    for (const [index, value] of this.#values.entries()) {
      const look = (): unknown => {
        this.#seen.add(index);
        return value;
      };
      Object.defineProperty(watched, index, { enumerable: true, get: look });
    }
    return watched;
  }
}

/** Returns the variables by name and the literals by index. */
export function withLiterals(variables: Variables, { values }: TextLiterals): Variables {
  return Object.assign(Object.create(null), variables, values);
}
