/** The introspection of a schema with thousands of tables, as the response to the console. */
import {
  GraphQLBoolean,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  introspectionFromSchema,
} from "graphql";
import type { Page } from "playwright-core";

function schemaOf(tables: number): GraphQLSchema {
  const comparison = new GraphQLInputObjectType({
    name: "comparison",
    fields: { _eq: { type: GraphQLString }, _is_null: { type: GraphQLBoolean } },
  });
  const fields = Array.from({ length: tables }, (_, index) => {
    const name = `table_${index}_with_a_usual_name`;
    const row = new GraphQLObjectType({ name, fields: { id: { type: GraphQLInt }, name: { type: GraphQLString } } });
    const where = new GraphQLInputObjectType({ name: `${name}_bool_exp`, fields: { name: { type: comparison } } });
    const list = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(row)));
    return [
      [name, { type: list, args: { where: { type: where }, limit: { type: GraphQLInt } } }],
      [`${name}_by_pk`, { type: row, args: { id: { type: new GraphQLNonNull(GraphQLInt) } } }],
    ] as const;
  });
  return new GraphQLSchema({
    query: new GraphQLObjectType({ name: "query_root", fields: Object.fromEntries(fields.flat()) }),
  });
}

/** Intercepts the introspection of the console. */
export async function serveLargeSchema(page: Page, tables: number): Promise<void> {
  const body = JSON.stringify({ data: introspectionFromSchema(schemaOf(tables)) });
  await page.route("**/v1/graphql", async (route) => {
    const isIntrospection = route.request().postData()?.includes("__schema") ?? false;
    if (isIntrospection) await route.fulfill({ contentType: "application/json", body });
    else await route.continue();
  });
}
