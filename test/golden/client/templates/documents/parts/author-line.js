export const authorLine = gql`
  fragment AuthorLine on author {
    id
    name
  }
`;
export const large = 1 < 2 && "gql`query Ignored { nothing }`";
