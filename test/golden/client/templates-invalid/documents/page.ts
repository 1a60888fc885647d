const fields = "id name";
const name = "Named";

export const inside = gql`query Inside { author { ${fields} } }`;

export const named = gql`
  query ${name} { author { id } }
`;

export const escaped = gql`
  query Escaped { author(where: { name: { _eq: "\\" } }) { id } }
`;

export const unclosed = gql`
  query Unclosed { author { id }
`;

export const anonymous = gql`
  { author { id } }
`;
