/** What an update does to a column of SQL Server (`graphql-api.md` 10). */
import type { UpdateOperator } from "../../definitions/dialect.ts";
import { assign, increment } from "../update-operators.ts";
import { documentUpdates } from "./json-columns.ts";
import { mssql } from "./scalars.ts";

const { before, after } = documentUpdates(mssql("nvarchar"), mssql("int"));

export const updateOperators: readonly UpdateOperator[] = [...before, increment, ...after, assign];
