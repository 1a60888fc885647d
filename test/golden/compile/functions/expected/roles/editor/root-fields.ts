// Generated: change the metadata, not this file.
// From   role editor
// Slice  sha256:d9111e72

import { defineRole, insertRows, selectFunction, selectMany, streamRows } from "engine/support";
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
  articles_by: selectFunction(() => article, articles_by),
  find: selectFunction(() => article, search_articles, {
    description: "Articles whose title holds a word.",
  }),
  latest: selectFunction(() => article, newest_article),
};

/** Root fields of role editor. */
export const role = defineRole({
  role: "editor",
  query,
  subscription: { ...query, article_stream: streamRows(() => article) },
  mutation: { insert_author: insertRows(() => author) },
  tables: () => tables,
});
