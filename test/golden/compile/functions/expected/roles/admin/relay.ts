// Generated: change the metadata, not this file.
// From   role admin: Relay API
// Slice  sha256:f633bcb8

import {
  defineRelay,
  selectConnection,
  selectFunctionConnection,
  selectNode,
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
const roots = {
  article_connection: selectConnection(() => article),
  articles_by_connection: selectFunctionConnection(() => article, articles_by),
  author_connection: selectConnection(() => author),
  find_connection: selectFunctionConnection(() => article, search_articles),
  newest_article_connection: selectFunctionConnection(() => article, newest_article),
  node: selectNode(tables),
};

/** Root fields of the Relay API for role admin, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
