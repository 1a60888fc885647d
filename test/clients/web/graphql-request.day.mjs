/** graphql-request: single requests, and batches. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { ClientError, GraphQLClient, gql } from "graphql-request";
import { endpoint, headersOf, seed } from "../premises.mjs";

let user = "graphql-request";
const client = new GraphQLClient(endpoint, { headers: () => headersOf(user) });

const pageOf = gql`
  query ($where: note_bool_exp, $limit: Int, $offset: Int) {
    note(where: $where, order_by: [{ folder: { name: asc } }, { title: asc }], limit: $limit, offset: $offset) {
      id
      title
    }
  }
`;
const titles = ({ note }) => note.map(({ title }) => title);

before(() => seed(user, 6));

test("graphql-request lists, filters and pages", async () => {
  assert.deepEqual(titles(await client.request(pageOf, { limit: 2 })), ["note 02", "note 04"]);
  assert.deepEqual(titles(await client.request(pageOf, { limit: 2, offset: 2 })), ["note 06", "note 01"]);
  const where = { _or: [{ stars: { _eq: 1 } }, { title: { _in: ["note 05"] } }] };
  assert.deepEqual(titles(await client.request(pageOf, { where })), ["note 01", "note 05"]);
});

test("graphql-request sends queries by GET, and several in a batch", async () => {
  const byGet = new GraphQLClient(endpoint, { headers: headersOf(user), method: "GET", jsonSerializer: JSON });
  assert.equal(titles(await byGet.request(pageOf, {})).length, 6);
  const documents = [
    { document: pageOf, variables: { limit: 1 } },
    { document: pageOf, variables: { offset: 5 } },
  ];
  const answers = await client.batchRequests(documents);
  assert.deepEqual(
    answers.map(({ data }) => titles(data)),
    [["note 02"], ["note 05"]],
  );
});

test("graphql-request creates, updates and deletes", async () => {
  const insert = 'mutation { insert_note_one(object: {title: "new", folder_id: 1}) { id folder { name } } }';
  const { insert_note_one: created } = await client.request(insert);
  assert.equal(created.folder.name, "Inbox");
  const move = "mutation ($id: uuid!) { update_note(where: {id: {_eq: $id}}, _set: {folder_id: 2}) { affected_rows } }";
  assert.equal((await client.request(move, { id: created.id })).update_note.affected_rows, 1);
  const remove = "mutation ($id: uuid!) { delete_note_by_pk(id: $id) { folder { name } } }";
  assert.equal((await client.request(remove, { id: created.id })).delete_note_by_pk.folder.name, "Archive");
});

test("graphql-request receives errors with their codes", async () => {
  const codeOf = async (query) => {
    const error = await client.request(query).then(assert.fail, (thrown) => thrown);
    assert.ok(error instanceof ClientError);
    return error.response.errors[0].extensions.code;
  };
  assert.equal(await codeOf("{ note { owner } }"), "validation-failed");
  assert.equal(
    await codeOf('mutation { insert_note_one(object: {title: "x", folder_id: 99}) { id } }'),
    "constraint-violation",
  );
});

test("graphql-request goes on with another token", async () => {
  user = "graphql-request-2";
  assert.deepEqual(titles(await client.request(pageOf, {})), []);
});
