// Generated: change the metadata, not this file.
// From   table public.orders (source shop): role admin
// Slice  sha256:59752a09

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
import { remote as post } from "../(remotes)/post.js";
import { columns, computedFields, orders as table } from "../../../sources/shop/public.orders.js";
import { customer } from "../people/public.customer.js";
import { region } from "../people/public.region.js";

/** What role admin may insert into public.orders, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.customer_id, columns.secret] });

/** What role admin may change in public.orders, in every row. */
const update = allowUpdate({ columns: [columns.id, columns.customer_id, columns.secret] });

/** What role admin may delete from public.orders, every row. */
const remove = allowDelete();

/** What role admin may read of public.orders, in every row. */
export const orders = tableView(table, {
  columns: [columns.id, columns.customer_id, columns.secret],
  remoteRelationships: {
    /** Joined as the metadata says: to parcels of remote schema post. */
    bundle: toRemoteSchema(
      [joinKey("id", columns.id)],
      () => post,
      [{ field: "parcels", arguments: { ids: ["$id"] } }],
      { relationship: "object", match: ["id"] },
    ),
    /** Joined as the metadata says: customer_id to id of public.customer (source people). */
    customer: toSourceRow(
      [joinColumn(joinKey("customer_id", columns.customer_id), `"id"`, pg("int8"))],
      () => customer,
      { unique: true },
    ),
    /** Joined as the metadata says: to parcel of remote schema post. */
    labelled: toRemoteSchema([joinKey("id", columns.id)], () => post, [
      { field: "parcel", arguments: { id: "$id", with: { tags: ["$id"] } } },
    ]),
    /** Joined as the metadata says: to parcel of remote schema post. */
    parcel: toRemoteSchema([joinKey("id", columns.id)], () => post, [
      { field: "parcel", arguments: { id: "$id", with: { tags: ["$id"], note: "a \"note\"" } } },
    ]),
    /**
     * Joined as the metadata says: shouted, odd name to country, name of public.region (source
     * people).
     */
    regions: toSourceRows(
      [
        joinColumn(joinKey("shouted", computedFields.shouted), `"country"`, pg("text")),
        joinColumn(joinKey("odd name", column("", `"odd name"`, pg("text"))), `"name"`, pg("text")),
      ],
      () => region,
      { aggregations: true },
    ),
  },
  computedFields: { shouted: computedFields.shouted },
  aggregations: true,
  insert,
  update,
  delete: remove,
});
