/** How large an operation is, before anything is known of the schema: what depth and node limits measure. */
import { Kind, type SelectionNode, type SelectionSetNode } from "graphql";
import type { Operation } from "../../support/operation/document.ts";

export interface Measure {
  /** Levels of selection sets below the root fields. */
  readonly depth: number;
  /** Fields that have a selection set. */
  readonly nodes: number;
  /** `__schema` or `__type` is asked for. */
  readonly introspects: boolean;
}

const empty: Measure = { depth: 0, nodes: 0, introspects: false };
const introspection: Measure = { ...empty, introspects: true };

/**
 * Fragments count wherever they are spread, fields of introspection nowhere. Each fragment is looked at once, however
 * often it is spread: a short document can stand for an endless one.
 */
export function measure({ definition, fragments }: Operation): Measure {
  const known = new Map<string, Measure>();
  const ofFragment = (name: string): Measure => {
    let found = known.get(name);
    if (found === undefined) {
      const fragment = fragments.get(name);
      found = fragment ? ofSet(fragment.selectionSet) : empty;
      known.set(name, found);
    }
    return found;
  };
  const ofNode = (node: SelectionNode): Measure => {
    switch (node.kind) {
      case Kind.FRAGMENT_SPREAD:
        return ofFragment(node.name.value);
      case Kind.INLINE_FRAGMENT:
        return ofSet(node.selectionSet);
      case Kind.FIELD: {
        if (node.name.value === "__schema" || node.name.value === "__type") return introspection;
        if (node.selectionSet === undefined) return empty;
        const { depth, nodes, introspects } = ofSet(node.selectionSet);
        return { depth: depth + 1, nodes: nodes + 1, introspects };
      }
    }
  };
  const ofSet = ({ selections }: SelectionSetNode): Measure => selections.map(ofNode).reduce(joined, empty);
  return ofSet(definition.selectionSet);
}

function joined(a: Measure, b: Measure): Measure {
  return {
    depth: Math.max(a.depth, b.depth),
    nodes: a.nodes + b.nodes,
    introspects: a.introspects || b.introspects,
  };
}
