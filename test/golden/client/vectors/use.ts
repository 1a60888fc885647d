import { NearestDocument, type TypedDocumentNode } from "./expected/client.js";

declare function run<Result, Variables>(document: TypedDocumentNode<Result, Variables>, variables: Variables): Result;

const found = run(NearestDocument, {
  question: [0.5, 1],
  order: [{ embedding_cosine_distance: { to: "[1, 0]" } }, { id: "asc" }],
  few: { columns: ["document_id"], limit: 1 },
});
const first: number | undefined = found.passage[0]?.embedding?.[0];
const vectors: readonly (readonly number[] | null)[] = found.ordered.map(({ embedding }) => embedding);
use(first, vectors);
// @ts-expect-error a vector has no texts
run(NearestDocument, { question: ["1"] });
// @ts-expect-error the values of a vector are numbers
use(found.passage[0]?.embedding?.[0] satisfies string | undefined);

function use(..._values: readonly unknown[]): void {}
