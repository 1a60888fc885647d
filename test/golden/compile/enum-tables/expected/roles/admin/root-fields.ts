// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:35ed1ed5

import {
  defineRole,
  deleteByPk,
  deleteRows,
  insertRow,
  insertRows,
  selectAggregate,
  selectByPk,
  selectGroups,
  selectMany,
  streamRows,
  updateByPk,
  updateMany,
  updateRows,
} from "engine/support";
import { color } from "./default/public.color.js";
import { shirt } from "./default/public.shirt.js";
import { size } from "./default/public.size.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  paint: selectMany(() => color),
  paint_aggregate: selectAggregate(() => color),
  paint_by_pk: selectByPk(() => color),
  paint_group: selectGroups(() => color),
  shirt: selectMany(() => shirt),
  shirt_aggregate: selectAggregate(() => shirt),
  shirt_by_pk: selectByPk(() => shirt),
  shirt_group: selectGroups(() => shirt),
  size: selectMany(() => size),
  size_aggregate: selectAggregate(() => size),
  size_by_pk: selectByPk(() => size),
  size_group: selectGroups(() => size),
};

/** Root fields of role admin. */
export const role = defineRole({
  role: "admin",
  query,
  subscription: {
    ...query,
    paint_stream: streamRows(() => color),
    shirt_stream: streamRows(() => shirt),
    size_stream: streamRows(() => size),
  },
  mutation: {
    delete_paint: deleteRows(() => color),
    delete_paint_by_pk: deleteByPk(() => color),
    delete_shirt: deleteRows(() => shirt),
    delete_shirt_by_pk: deleteByPk(() => shirt),
    delete_size: deleteRows(() => size),
    delete_size_by_pk: deleteByPk(() => size),
    insert_paint: insertRows(() => color),
    insert_paint_one: insertRow(() => color),
    insert_shirt: insertRows(() => shirt),
    insert_shirt_one: insertRow(() => shirt),
    insert_size: insertRows(() => size),
    insert_size_one: insertRow(() => size),
    update_paint: updateRows(() => color),
    update_paint_by_pk: updateByPk(() => color),
    update_paint_many: updateMany(() => color),
    update_shirt: updateRows(() => shirt),
    update_shirt_by_pk: updateByPk(() => shirt),
    update_shirt_many: updateMany(() => shirt),
    update_size: updateRows(() => size),
    update_size_by_pk: updateByPk(() => size),
    update_size_many: updateMany(() => size),
  },
  tables: () => tables,
});
