/** Measures the size of an operation without the schema. */
import { type FragmentDefinitionNode, Kind, type SelectionNode, type SelectionSetNode } from "graphql";
import type { Measure } from "./budget.ts";

export interface OperationMeasure extends Measure {
  /** True if `__schema` or `__type` is selected. */
  readonly introspects: boolean;
  /** Nesting levels of selection sets, fragments and inline fragments. */
  readonly levels: number;
}

const empty: OperationMeasure = { fields: 0, nodes: 0, depth: 0, introspects: false, levels: 0 };

/**
 * Returns the size of a selection set, counting a fragment once for each spread. Each fragment is visited only once,
 * because a short document can expand to one of unlimited size.
 */
export function measure(
  set: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): OperationMeasure {
  const known = new Map<string, OperationMeasure>();
  const ofFragment = (name: string): OperationMeasure => {
    let found = known.get(name);
    if (found === undefined) {
      const fragment = fragments.get(name);
      found = fragment ? ofSet(fragment.selectionSet) : empty;
      known.set(name, found);
    }
    return found;
  };
  const ofNode = (node: SelectionNode): OperationMeasure => {
    switch (node.kind) {
      case Kind.FRAGMENT_SPREAD:
        return below(ofFragment(node.name.value));
      case Kind.INLINE_FRAGMENT:
        return below(ofSet(node.selectionSet));
      case Kind.FIELD: {
        const inner = node.selectionSet ? below(ofSet(node.selectionSet)) : empty;
        const { fields, nodes, depth, levels, introspects } = inner;
        if (node.name.value === "__schema" || node.name.value === "__type") {
          return { fields: fields + 1, nodes: 0, depth: 0, levels, introspects: true };
        }
        if (node.selectionSet === undefined) return { ...empty, fields: 1 };
        return { fields: fields + 1, nodes: nodes + 1, depth: depth + 1, levels, introspects };
      }
    }
  };
  const ofSet = ({ selections }: SelectionSetNode): OperationMeasure => selections.map(ofNode).reduce(joined, empty);
  return ofSet(set);
}

const below = (inner: OperationMeasure): OperationMeasure => ({ ...inner, levels: inner.levels + 1 });

function joined(a: OperationMeasure, b: OperationMeasure): OperationMeasure {
  return {
    fields: a.fields + b.fields,
    nodes: a.nodes + b.nodes,
    depth: Math.max(a.depth, b.depth),
    levels: Math.max(a.levels, b.levels),
    introspects: a.introspects || b.introspects,
  };
}
