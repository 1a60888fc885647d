// Generated: change the metadata, not this file.
// From   role census
// Slice  sha256:fd581f03

import {
  defineRole,
  selectAggregate,
  selectByPk,
  selectGroups,
  selectMany,
  streamRows,
} from "engine/support";
import { author } from "./default/public.author.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  author: selectMany(() => author),
  author_aggregate: selectAggregate(() => author),
  author_by_pk: selectByPk(() => author),
  author_group: selectGroups(() => author),
};

/** Root fields of role census. */
export const role = defineRole({
  role: "census",
  query,
  subscription: { ...query, author_stream: streamRows(() => author) },
  tables: () => tables,
});
