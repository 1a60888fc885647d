/** The allow-list: which documents a role may send (`permissions-and-auth.md` 15). */
import { type DefinitionNode, type DocumentNode, type FieldNode, Kind, parse, type SelectionSetNode } from "graphql";

/** A collection of the list, with the texts of its operations. */
export interface AllowedCollection {
  /** Who may send them; `null`: every role. */
  readonly roles: readonly string[] | null;
  readonly queries: readonly string[];
}

/** Saved operations are parsed when the list is first asked. Immutable. */
export class AllowList {
  readonly #collections: readonly AllowedCollection[];
  /** The forms of the documents that every role may send, and of those that one role may. */
  #forms: { readonly all: ReadonlySet<string>; readonly byRole: ReadonlyMap<string, ReadonlySet<string>> } | undefined;

  constructor(collections: readonly AllowedCollection[]) {
    this.#collections = collections;
  }

  allows(role: string, document: DocumentNode): boolean {
    this.#forms ??= formsOf(this.#collections);
    const form = comparedForm(document);
    return this.#forms.all.has(form) || this.#forms.byRole.get(role)?.has(form) === true;
  }
}

function formsOf(collections: readonly AllowedCollection[]) {
  const all = new Set<string>();
  const byRole = new Map<string, Set<string>>();
  for (const { roles, queries } of collections) {
    const forms = queries.flatMap(savedForm);
    for (const form of forms) if (roles === null) all.add(form);
    for (const role of roles ?? []) byRole.set(role, new Set([...(byRole.get(role) ?? []), ...forms]));
  }
  return { all, byRole };
}

/** None of a text that does not parse: it is listed as inconsistent. */
function savedForm(text: string): readonly string[] {
  try {
    return [comparedForm(parse(text, { noLocation: true }))];
  } catch {
    return [];
  }
}

/**
 * The same text for documents that count as equal. Fields `__typename` do not count, wherever clients add them; one with
 * an alias, arguments or directives does, and so does the order of everything. One pass over the document: a printed text, with its indentation, would be quadratic in
 * how deep selections stand, and `visit` is in how many fields it takes out of one.
 */
export function comparedForm(document: DocumentNode): string {
  return JSON.stringify(document.definitions.map(withoutTypenames));
}

function withoutTypenames(definition: DefinitionNode): unknown {
  if (!("selectionSet" in definition) || definition.selectionSet === undefined) return definition;
  return { ...definition, selectionSet: countedFields(definition.selectionSet) };
}

/** What is left is compared; a selection of nothing else is none. */
function countedFields({ selections }: SelectionSetNode): readonly unknown[] {
  return selections.flatMap((node): readonly unknown[] => {
    if (node.kind === Kind.FRAGMENT_SPREAD) return [node];
    if (node.kind === Kind.FIELD && isPlainTypename(node)) return [];
    return [{ ...node, selectionSet: node.selectionSet ? countedFields(node.selectionSet) : [] }];
  });
}

/** As clients add it to every selection. */
function isPlainTypename({ name, alias, arguments: given = [], directives = [] }: FieldNode): boolean {
  return name.value === "__typename" && alias === undefined && given.length === 0 && directives.length === 0;
}
