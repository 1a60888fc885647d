/**
 * The usual answer of a server as one regular expression: what was selected, in its order, without blanks. A match is
 * well-formed JSON with all of it, in a third of the time that looking through any JSON takes.
 */
import type { RemoteField, RemoteNode, RemotePlan } from "../../model/planner/request/remote/remote-request.ts";
import { scalarText, stringText } from "./json-tokens.ts";

/** In characters of the expression: larger ones take long to make. */
const longestPattern = 16_384;
/** A plan that is used less often is not worth making one. */
const usesBefore = 3;

/** An answer that is all well-formed, and the value of its only field. */
export interface AnswerPattern {
  readonly expression: RegExp;
  /** Where the value begins, and how many characters stand behind it. */
  readonly from: number;
  readonly behind: number;
}

interface Use {
  count: number;
  pattern?: AnswerPattern | undefined;
}

const uses = new WeakMap<RemotePlan, Use>();

/** `undefined`: the plan is not used often, or its answers have no usual form. */
export function patternOf(plan: RemotePlan): AnswerPattern | undefined {
  let use = uses.get(plan);
  if (use === undefined) {
    use = { count: 0 };
    uses.set(plan, use);
  }
  if (use.count < usesBefore) {
    use.count++;
    if (use.count === usesBefore) use.pattern = madeFor(plan);
  }
  return use.pattern;
}

function madeFor({ fields }: RemotePlan): AnswerPattern | undefined {
  const [field, ...others] = fields;
  if (field?.selected === undefined || field.typenames !== undefined || others.length > 0) return undefined;
  const value = valueText([field.selected]);
  if (value === undefined || value.length > longestPattern) return undefined;
  const begin = `{"data":{"${field.key}":`;
  const expression = new RegExp(`^\\{"data":\\{"${field.key}":${value}\\}\\}$`);
  return { expression, from: begin.length, behind: 2 };
}

const flatText = `(?:${stringText}|${scalarText})`;

/**
 * Of the fields of one key, which are selected of the same objects.
 * @returns `undefined`: it depends on the type of the object
 */
function valueText(fields: readonly RemoteField[]): string | undefined {
  const [first] = fields;
  if (first === undefined) return undefined;
  const item = first.selection === null ? flatText : objectText(fields.flatMap(({ selection }) => selection ?? []));
  if (item === undefined) return undefined;
  let text = item;
  // An item is written once, so that lists in lists do not double it; behind the last there is no comma.
  for (let list = 0; list < first.lists; list++) text = `(?:null|\\[(?:${text}(?:,(?!\\])|(?=\\])))*\\])`;
  return text;
}

function objectText(nodes: readonly RemoteNode[]): string | undefined {
  const byKey = fieldsByKey(nodes);
  if (byKey === undefined) return undefined;
  const members: string[] = [];
  let length = 0;
  for (const [key, fields] of byKey) {
    const value = valueText(fields);
    if (value === undefined) return undefined;
    members.push(`"${key}":${value}`);
    length += value.length;
    if (length > longestPattern) return undefined;
  }
  return `(?:null|\\{${members.join(",")}\\})`;
}

/** In the order in which servers answer them. @returns `undefined`: some are of certain types only */
function fieldsByKey(nodes: readonly RemoteNode[]): ReadonlyMap<string, readonly RemoteField[]> | undefined {
  const found = new Map<string, RemoteField[]>();
  const collect = (list: readonly RemoteNode[]): boolean =>
    list.every((node) => {
      if (node.kind === "fragment") return node.type === undefined && collect(node.selection);
      const same = found.get(node.key);
      if (same) same.push(node);
      else found.set(node.key, [node]);
      return true;
    });
  return collect(nodes) ? found : undefined;
}
