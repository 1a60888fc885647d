// Generated: change the metadata, not this file.
// From   table public.orders (source shop): role admin
// Slice  sha256:355f9af7

import {
  allowDelete,
  allowInsert,
  allowUpdate,
  column,
  joinColumn,
  joinKey,
  pg,
  tableView,
  toRemoteSchema,
  toSourceRow,
  toSourceRows,
} from "engine/support";
import { columns, computedFields, orders as table } from "../../../sources/shop/public.orders.js";
import { customer } from "../people/public.customer.js";
import { region } from "../people/public.region.js";
import { remote as post } from "../remotes/post.js";

/** Insert permission of role admin on public.orders, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.customer_id, columns.secret] });

/** Update permission of role admin on public.orders, for every row. */
const update = allowUpdate({ columns: [columns.id, columns.customer_id, columns.secret] });

/** Delete permission of role admin on public.orders, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.orders, for every row. */
export const orders = tableView(table, {
  columns: [columns.id, columns.customer_id, columns.secret],
  remoteRelationships: {
    /** Joins field parcels of remote schema post. */
    bundle: toRemoteSchema(
      [joinKey("id", columns.id)],
      () => post,
      [{ field: "parcels", arguments: { ids: ["$id"] } }],
      { relationship: "object", match: ["id"] },
    ),
    /** Joins customer_id to id of public.customer (source people). */
    customer: toSourceRow(
      [joinColumn(joinKey("customer_id", columns.customer_id), `"id"`, pg("int8"))],
      () => customer,
      { unique: true },
    ),
    /** Joins field parcel of remote schema post. */
    labelled: toRemoteSchema([joinKey("id", columns.id)], () => post, [
      { field: "parcel", arguments: { id: "$id", with: { tags: ["$id"] } } },
    ]),
    /** Joins field parcel of remote schema post. */
    parcel: toRemoteSchema([joinKey("id", columns.id)], () => post, [
      { field: "parcel", arguments: { id: "$id", with: { tags: ["$id"], note: "a \"note\"" } } },
    ]),
    /** Joins shouted, odd name to country, name of public.region (source people). */
    regions: toSourceRows(
      [
        joinColumn(joinKey("shouted", computedFields.shouted), `"country"`, pg("text")),
        joinColumn(joinKey("odd name", column("", `"odd name"`, pg("text"))), `"name"`, pg("text")),
      ],
      () => region,
      { aggregations: true },
    ),
    /** Joins field _entities of remote schema post. */
    stop: toRemoteSchema(
      [joinKey("id", columns.id)],
      () => post,
      [
        {
          field: "_entities",
          arguments: { representations: [{ __typename: "Stop", town: "$id" }] },
        },
      ],
      { relationship: "object", entity: "Stop" },
    ),
  },
  computedFields: { shouted: computedFields.shouted },
  aggregations: true,
  insert,
  update,
  delete: remove,
});
