import { authorLine } from "./parts/author-line.js";

// The documents keep their names; `text` has the tag of another library.
export const text = sql`query Ignored { nothing }`;

export const authors = gql`
  ${authorLine}
  query Authors($limit: Int) {
    # A brace in a comment: {
    author(limit: $limit, where: { name: { _eq: "}" } }) {
      ...AuthorLine
    }
  }
  ${authorLine}
`;

export const page = <p>{authors}</p>;

export const one = graphql(`
  query OneAuthor($id: uuid!) {
    author_by_pk(id: $id) {
      ...AuthorLine
    }
  }
`);
