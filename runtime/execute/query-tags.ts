/** Settings of query tags by source. */
import type { QueryTagsDefinition } from "../model/definitions/query-tags.ts";

export interface QueryTags {
  readonly format: NonNullable<QueryTagsDefinition["format"]>;
  readonly hasRequestId: boolean;
}

/** Returns the settings of a source; `undefined` if tags are not configured or disabled. */
function queryTagsOf(definition: QueryTagsDefinition | undefined): QueryTags | undefined {
  if (definition === undefined || definition.disabled === true) return undefined;
  const { format = "standard", omit_request_id: omitsRequestId = true } = definition;
  return { format, hasRequestId: !omitsRequestId };
}

/** Returns the settings of all sources with query tags. */
export function queryTagsOfSources(
  sources: Iterable<readonly [name: string, definition: QueryTagsDefinition | undefined]>,
): ReadonlyMap<string, QueryTags> {
  return new Map(
    [...sources].flatMap(([name, definition]): [string, QueryTags][] => {
      const tags = queryTagsOf(definition);
      return tags ? [[name, tags]] : [];
    }),
  );
}
