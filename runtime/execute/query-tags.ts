/** How sources want their statements tagged. */
import type { QueryTagsDefinition } from "../model/definitions/query-tags.ts";

/** Of one source. */
export interface QueryTags {
  readonly format: NonNullable<QueryTagsDefinition["format"]>;
  readonly hasRequestId: boolean;
}

/** @returns `undefined` where statements are to stay as they are */
function queryTagsOf(definition: QueryTagsDefinition | undefined): QueryTags | undefined {
  if (definition === undefined || definition.disabled === true) return undefined;
  const { format = "standard", omit_request_id: omitsRequestId = true } = definition;
  return { format, hasRequestId: !omitsRequestId };
}

/** The tags of sources that have some. */
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
