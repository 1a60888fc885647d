import { AuthorDocument, type TypedDocumentString } from "./expected/client.js";

declare function run<Result, Variables>(document: TypedDocumentString<Result, Variables>, variables: Variables): Result;

const [author] = run(AuthorDocument, { first: "9007199254740993" }).author;
const followers: string | undefined = author?.followers;
const fee: string | null | undefined = author?.fee;
const settings: string | undefined = author?.settings;
use(followers, fee, settings, JSON.stringify({ query: AuthorDocument }));
// @ts-expect-error the text is a string
run(AuthorDocument, { escaped: 1 });

function use(..._values: readonly unknown[]): void {}
