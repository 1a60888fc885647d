/** What an update does to a column of SQL Server (`graphql-api.md` 10). */
import type { UpdateOperator } from "../../definitions/dialect.ts";
import { assign, increment } from "../update-operators.ts";

export const updateOperators: readonly UpdateOperator[] = [increment, assign];
