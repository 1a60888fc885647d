// Generated: change the metadata, not this file.
// From   role reader
// Slice  sha256:76e1b895

import {
  defineRole,
  selectAggregate,
  selectByPk,
  selectFunction,
  selectFunctionAggregate,
  selectGroups,
  selectMany,
  streamRows,
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
  author_by_pk: selectByPk(() => author),
  find: selectFunction(() => article, search_articles, {
    description: "Articles whose title holds a word.",
  }),
  find_aggregate: selectFunctionAggregate(() => article, search_articles),
  latest: selectFunction(() => article, newest_article),
  latest_numbers: selectFunctionAggregate(() => article, newest_article),
};

/** Root fields of role reader. */
export const role = defineRole({
  role: "reader",
  query,
  subscription: {
    ...query,
    article_stream: streamRows(() => article),
    author_stream: streamRows(() => author),
  },
  tables: () => tables,
});
