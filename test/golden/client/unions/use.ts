import { NodeDocument, PetsDocument, SearchDocument, type TypedDocumentNode } from "./expected/client.js";

declare function run<Result, Variables>(document: TypedDocumentNode<Result, Variables>, variables: Variables): Result;

const { node } = run(NodeDocument, { id: "1" });
if (node?.__typename === "book") {
  const pages: number | null = node.pages;
  use(node.label.trim(), pages);
} else if (node?.__typename === "author") {
  use(node.name.trim());
  // @ts-expect-error authors have no pages
  use(node.pages);
} else {
  use(node?.__typename satisfies "shelf" | undefined, node?.id.trim());
}
for (const found of run(SearchDocument, { text: "a" }).search)
  use(found.id, found.label, "pages" in found && found.pages);
for (const pet of run(PetsDocument, {}).pets) {
  use(pet.name satisfies string | null, pet.owner?.name, "sound" in pet && pet.sound.trim());
}

function use(..._values: readonly unknown[]): void {}
