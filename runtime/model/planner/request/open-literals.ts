/**
 * Which literals of a document its plan leaves open: those that are only values of parameters, so that another document
 * that has others there can use it. Whatever else looks at a literal while the operation is planned makes the plan one
 * for this literal alone, be it by the syntax tree or by the value; so nothing needs to be told that there are such.
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
   * Watches the literals of a document.
   * @param document that of the text; its nodes are changed
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

  /** The source of a literal's value where it is one of a parameter; `undefined`: it has to be read. */
  sourceOf(node: object, { structure, enumeration }: ScalarTypeDef): ValueSource | undefined {
    const index = this.#indexes.get(node);
    if (index === undefined || structure !== undefined || enumeration !== undefined) return undefined;
    this.#open.add(index);
    return { kind: "literal", index };
  }

  /** Those that the plan is for, by their place in the text. */
  fixed(): readonly number[] {
    return this.#values.flatMap((_, index) => (this.#open.has(index) && !this.#seen.has(index) ? [] : [index]));
  }

  /** The values of a request for who plans it. */
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

/** The values of a request: those of its variables by their names, those of its literals by their places. */
export function withLiterals(variables: Variables, { values }: TextLiterals): Variables {
  return Object.assign(Object.create(null), variables, values);
}
