/** A small shop in SQL Server: its catalogue rows, and the metadata of two roles. */

import type { ColumnRow, ParameterRow, ReturnedColumnRow } from "../../compiler/dialects/mssql/introspect/rows.ts";
import { introspectMssql } from "../../compiler/dialects/mssql/introspect.ts";

type Rows = readonly (readonly (string | null)[])[];

const customer = 901_578_250;
const order = 933_578_364;
const orderLine = 965_578_478;
const everyType = 997_578_592;
const openOrder = 1_029_578_706;
const ordersOf = 1_061_578_820;
const linesOf = 1_093_578_934;
const greeting = 1_125_579_048;

function column(
  relation: number,
  position: number,
  name: string,
  type: string,
  more: Partial<ColumnRow> = {},
): ColumnRow {
  return {
    relation,
    position,
    name,
    type,
    length: 4,
    precision: 0,
    scale: 0,
    nullable: false,
    identity: false,
    computed: false,
    generated: 0,
    hasDefault: false,
    hidden: false,
    readsData: false,
    collation: /char|text$/.test(type) ? "database_default" : null,
    comment: null,
    ...more,
  };
}

const size = { length: 4, precision: 0, scale: 0 };

function parameter(
  owner: number,
  position: number,
  name: string,
  type: string,
  more: Partial<ParameterRow> = {},
): ParameterRow {
  return { function: owner, position, name, type, ...size, isTable: false, ...more };
}

function returned(
  owner: number,
  position: number,
  name: string,
  type: string,
  more: Partial<ReturnedColumnRow> = {},
): ReturnedColumnRow {
  return { function: owner, position, name, type, ...size, ...more };
}

const types = [
  ...["bigint", "binary", "bit", "char", "date", "datetime", "datetime2", "datetimeoffset", "decimal", "float"],
  ...["geography", "geometry", "hierarchyid", "image", "int", "money", "nchar", "ntext", "numeric", "nvarchar", "real"],
  ...["smalldatetime", "smallint", "smallmoney", "sql_variant", "text", "time", "timestamp", "tinyint"],
  ...["uniqueidentifier", "varbinary", "varchar", "xml"],
];

const sections = {
  relations: [
    { id: customer, schema: "dbo", name: "customer", kind: "U", comment: "who buys" },
    { id: order, schema: "sales", name: "order", kind: "U", comment: null },
    { id: orderLine, schema: "sales", name: "order_line", kind: "U", comment: null },
    { id: everyType, schema: "dbo", name: "every_type", kind: "U", comment: null },
    { id: openOrder, schema: "sales", name: "open_order", kind: "V", comment: null },
  ],
  columns: [
    column(customer, 1, "id", "int", { identity: true }),
    column(customer, 2, "name", "nvarchar", { length: 200 }),
    column(customer, 3, "email", "varchar", { length: 120, nullable: true, comment: "for invoices" }),
    column(customer, 4, "version", "timestamp", { length: 8 }),
    column(order, 1, "id", "bigint", { identity: true }),
    column(order, 2, "customer_id", "int"),
    column(order, 4, "placed_at", "datetime2", { scale: 7, hasDefault: true }),
    column(order, 5, "total", "decimal", { precision: 12, scale: 2, nullable: true }),
    column(order, 6, "is_paid", "bit", { hasDefault: true }),
    column(order, 7, "label", "nvarchar", { length: -1, computed: true, nullable: true }),
    column(orderLine, 1, "order_id", "bigint"),
    column(orderLine, 2, "line", "smallint"),
    column(orderLine, 3, "product", "nvarchar", { length: 400 }),
    column(orderLine, 4, "quantity", "int"),
    ...types.map((type, i) => column(everyType, i + 1, `a_${type}`, type, { nullable: true, precision: 10, scale: 3 })),
    column(openOrder, 1, "id", "bigint"),
    column(openOrder, 2, "customer_id", "int"),
  ],
  keys: [
    { relation: customer, name: "pk_customer", kind: "PK", position: 1 },
    { relation: customer, name: "uq_email", kind: "UQ", position: 3 },
    { relation: order, name: "pk_order", kind: "PK", position: 1 },
    { relation: orderLine, name: "pk_line", kind: "PK", position: 1 },
    { relation: orderLine, name: "pk_line", kind: "PK", position: 2 },
    { relation: everyType, name: "pk_types", kind: "PK", position: types.indexOf("int") + 1 },
  ],
  foreignKeys: [
    { id: 11, relation: order, name: "fk_customer", target: customer, position: 2, targetPosition: 1 },
    { id: 12, relation: orderLine, name: "fk_order", target: order, position: 1, targetPosition: 1 },
    { id: 13, relation: order, name: "fk_elsewhere", target: 4711, position: 2, targetPosition: 1 },
  ],
  functions: [
    { id: ordersOf, schema: "sales", name: "orders_of", kind: "IF", comment: "of one customer" },
    { id: linesOf, schema: "sales", name: "lines_of", kind: "TF", comment: null },
    { id: greeting, schema: "dbo", name: "greeting", kind: "FN", comment: null },
  ],
  parameters: [
    parameter(ordersOf, 1, "@customer", "int"),
    parameter(ordersOf, 2, "@least", "decimal", { precision: 12, scale: 2 }),
    parameter(ordersOf, 3, "@session", "nvarchar", { length: -1 }),
    parameter(linesOf, 1, "@orders", "order_list", { isTable: true }),
    parameter(greeting, 0, "", "nvarchar", { length: 400 }),
    parameter(greeting, 1, "@name", "nvarchar", { length: 200 }),
    parameter(greeting, 2, "@word", "nvarchar", { length: 40 }),
  ],
  returnedColumns: [
    returned(ordersOf, 1, "label", "nvarchar", { length: -1 }),
    returned(ordersOf, 2, "id", "bigint"),
    returned(ordersOf, 3, "customer_id", "int"),
    returned(ordersOf, 4, "placed_at", "datetime2", { scale: 7 }),
    returned(ordersOf, 5, "total", "decimal", { precision: 12, scale: 2 }),
    returned(ordersOf, 6, "is_paid", "bit"),
    returned(linesOf, 1, "order_id", "int"),
    returned(linesOf, 2, "line", "smallint"),
  ],
} as const;

/** The result of the catalogue statement. */
export const shopRows: Rows = [
  ["version", "15.0.4415.2"],
  ...Object.entries(sections).map(([name, rows]) => [name, JSON.stringify(rows)]),
];

export const shopShape = await introspectMssql(async () => shopRows);

const own = { customer_id: { _eq: "X-Engine-Customer-Id" } };

/** The `tables` of a source over the shop. */
export const shopTables = [
  {
    table: "customer",
    array_relationships: [
      {
        name: "orders",
        using: { foreign_key_constraint_on: { table: { schema: "sales", name: "order" }, columns: ["customer_id"] } },
      },
    ],
    select_permissions: [
      {
        role: "buyer",
        permission: {
          columns: ["id", "name"],
          filter: { id: { _eq: "X-Engine-Customer-Id" } },
          allow_aggregations: true,
        },
      },
    ],
  },
  {
    table: { schema: "sales", name: "order" },
    object_relationships: [{ name: "customer", using: { foreign_key_constraint_on: ["customer_id"] } }],
    array_relationships: [
      {
        name: "lines",
        using: { foreign_key_constraint_on: { table: { schema: "sales", name: "order_line" }, columns: ["order_id"] } },
      },
    ],
    select_permissions: [
      {
        role: "buyer",
        permission: {
          columns: "*",
          filter: { _or: [own, { _not: { _or: [] } }] },
          limit: 20,
          allow_aggregations: true,
        },
      },
    ],
    insert_permissions: [
      { role: "buyer", permission: { columns: ["total"], check: own, set: { customer_id: "X-Engine-Customer-Id" } } },
    ],
    update_permissions: [
      { role: "buyer", permission: { columns: ["total"], filter: own, check: { total: { _gt: 0 } } } },
    ],
    delete_permissions: [{ role: "buyer", permission: { filter: { _and: [own, { is_paid: { _eq: false } }] } } }],
  },
  {
    table: { schema: "sales", name: "order_line" },
    object_relationships: [{ name: "order", using: { foreign_key_constraint_on: ["order_id"] } }],
  },
  { table: "every_type" },
  { table: { schema: "sales", name: "open_order" } },
];
