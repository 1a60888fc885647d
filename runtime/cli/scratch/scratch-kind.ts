/** The kind of database that comes with the engine. */
import type { SourceKind } from "../../../compiler/catalog/model.ts";

/** Sources of other kinds cannot be tried: there is no database for them. */
export const scratchKind: SourceKind = "postgres";
