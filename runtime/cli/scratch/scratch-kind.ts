import type { SourceKind } from "../../../compiler/catalog/model.ts";

/** The only kind of source that can be tested on scratch databases, because the engine includes a PostgreSQL server. */
export const scratchKind: SourceKind = "postgres";
