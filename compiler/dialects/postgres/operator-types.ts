/** Which types an operator is for, where it is not for all: what to tell who used it on another. */
import { operatorsOf } from "../../../runtime/model/dialects/postgres/operators.ts";
import { pg } from "../../../runtime/model/dialects/postgres/scalars.ts";

/** The types that have operators of their own. */
const specialTypes = ["bpchar", "citext", "geography", "geometry", "jsonb", "ltree", "raster", "text", "varchar"];

/** Catalogue names of the types whose columns can be compared by this operator; none: there is no such operator. */
export function typesWithOperator(operator: string): readonly string[] {
  return specialTypes.filter((name) => operatorsOf(pg(name)).some((each) => each.name === operator));
}
