/** Names of types that the Relay schema has besides: there are none without tables that have a key. */
import { dialectOf } from "../../dialects/index.ts";
import type { AnalyzedSource } from "../analysis.ts";
import { namingOf } from "./type-names.ts";

export function* relayTypeNames(sources: Iterable<AnalyzedSource>): Generator<string> {
  let hasNodes = false;
  for (const source of sources) {
    if (dialectOf(source.source.kind).runtime.dialect.relay === undefined) continue;
    const naming = namingOf(source);
    for (const { graphqlName, primaryKey } of source.tables.values()) {
      if (graphqlName === null || primaryKey.length === 0) continue;
      hasNodes = true;
      yield naming.type(`${graphqlName}Connection`);
      yield naming.type(`${graphqlName}Edge`);
    }
  }
  if (hasNodes) yield* ["Node", "PageInfo"];
}
