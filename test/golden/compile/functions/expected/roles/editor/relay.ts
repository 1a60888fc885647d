// Generated: change the metadata, not this file.
// From   role editor: Relay API
// Slice  sha256:e4e36199

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
import { tables } from "./tables.js";

/** Root fields of the Relay API for role editor, except mutations. */
export const relay = defineRelay({
  query: {
    article_connection: selectConnection(() => article),
    articles_by_connection: selectFunctionConnection(() => article, articles_by),
    find_connection: selectFunctionConnection(() => article, search_articles),
    newest_article_connection: selectFunctionConnection(() => article, newest_article),
  },
  subscription: {
    article_connection: selectConnection(() => article),
    articles_by_connection: selectFunctionConnection(() => article, articles_by),
    find_connection: selectFunctionConnection(() => article, search_articles),
    newest_article_connection: selectFunctionConnection(() => article, newest_article),
    node: selectNode(tables, { except: [["default", "public", "author"]] }),
  },
});
