import {
  type AuthorBoolExp,
  AuthorByIdDocument,
  type AuthorFieldsFragment,
  AuthorsDocument,
  CreateAuthorDocument,
  FollowersDocument,
  NothingDocument,
  type TypedDocumentNode,
} from "./expected/client.js";

declare function run<Result, Variables>(document: TypedDocumentNode<Result, Variables>, variables: Variables): Result;

const { authors } = run(AuthorsDocument, { withFee: true });
for (const author of authors) {
  const fragment: AuthorFieldsFragment = author;
  use(fragment.id, author.__typename satisfies "author");
  const followers: number = author.followers;
  const genre: "crime" | "science_fiction" | null = author.genre;
  const tags: readonly (string | null)[] | null = author.tags;
  const grid: readonly (readonly number[])[] | null = author.grid;
  const name: string = author.name;
  const fee: number | null | undefined = author.fee;
  const settings: unknown = author.settings;
  const title: string | undefined = author.books[0]?.title;
  use(followers, genre, tags, grid, name, fee, settings, title);
  // @ts-expect-error the inner field is absent without the variable
  use(author.books[0]?.by.id);
  use(author.books[0]?.by?.id);
  // @ts-expect-error the fee may be null
  use(author.fee?.toFixed() satisfies string);
  // @ts-expect-error no such field is selected
  use(author.title);
}
const where: AuthorBoolExp = { _and: [{ followers: { _gt: "9007199254740993" } }, { name: { _in: ["a"] } }] };
run(AuthorsDocument, { where, withFee: false, order: [{ name: "asc" }], plain: null });
// @ts-expect-error withFee is required
run(AuthorsDocument, {});
// @ts-expect-error there is no such order
run(AuthorsDocument, { withFee: true, order: [{ name: "up" }] });
run(AuthorByIdDocument, { id: "00000000-0000-4000-8000-000000000001" }).author_by_pk?.name.trim();
// @ts-expect-error there may be no such row
run(AuthorByIdDocument, { id: "x" }).author_by_pk.name;
run(CreateAuthorDocument, {
  author: { name: "a", genre: "crime", settings: { any: [1] } },
}).delete_author?.affected_rows.toFixed();
// @ts-expect-error the name is required
run(CreateAuthorDocument, { author: {} });
run(FollowersDocument, {}).author[0]?.followers.toFixed();
use(run(NothingDocument, {}).__typename satisfies "query_root");

function use(..._values: readonly unknown[]): void {}
