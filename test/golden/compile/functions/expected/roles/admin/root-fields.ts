// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:98334419

import {
  defineRole,
  deleteByPk,
  deleteRows,
  insertRow,
  insertRows,
  selectAggregate,
  selectByPk,
  selectFunction,
  selectFunctionAggregate,
  selectGroups,
  selectMany,
  streamRows,
  updateByPk,
  updateMany,
  updateRows,
} from "engine/support";
import { tracked as articles_by } from "../../sources/default/public.articles_by.function.js";
import { tracked as newest_article } from "../../sources/default/public.newest_article.function.js";
import {
  tracked as search_articles,
} from "../../sources/default/public.search_articles.function.js";
import { article } from "./default/public.article.js";
import { author } from "./default/public.author.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  article: selectMany(() => article),
  article_aggregate: selectAggregate(() => article),
  article_by_pk: selectByPk(() => article),
  article_group: selectGroups(() => article),
  articles_by: selectFunction(() => article, articles_by),
  articles_by_aggregate: selectFunctionAggregate(() => article, articles_by),
  author: selectMany(() => author),
  author_aggregate: selectAggregate(() => author),
  author_by_pk: selectByPk(() => author),
  author_group: selectGroups(() => author),
  find: selectFunction(() => article, search_articles, {
    description: "Articles whose title holds a word.",
  }),
  find_aggregate: selectFunctionAggregate(() => article, search_articles),
  latest: selectFunction(() => article, newest_article),
  latest_numbers: selectFunctionAggregate(() => article, newest_article),
};

/** Root fields of role admin. */
export const role = defineRole({
  role: "admin",
  query,
  subscription: {
    ...query,
    article_stream: streamRows(() => article),
    author_stream: streamRows(() => author),
  },
  mutation: {
    delete_article: deleteRows(() => article),
    delete_article_by_pk: deleteByPk(() => article),
    delete_author: deleteRows(() => author),
    delete_author_by_pk: deleteByPk(() => author),
    insert_article: insertRows(() => article),
    insert_article_one: insertRow(() => article),
    insert_author: insertRows(() => author),
    insert_author_one: insertRow(() => author),
    update_article: updateRows(() => article),
    update_article_by_pk: updateByPk(() => article),
    update_article_many: updateMany(() => article),
    update_author: updateRows(() => author),
    update_author_by_pk: updateByPk(() => author),
    update_author_many: updateMany(() => author),
  },
  tables: () => tables,
});
