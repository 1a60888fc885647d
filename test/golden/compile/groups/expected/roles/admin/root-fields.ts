// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:7aa1dcf4

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
import { town } from "./default/public.town.js";
import { visit } from "./default/public.visit.js";
import { visit_group } from "./default/public.visit_group.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  grouped_towns: selectGroups(() => town),
  town: selectMany(() => town),
  town_aggregate: selectAggregate(() => town),
  town_by_pk: selectByPk(() => town),
  visit: selectMany(() => visit),
  visit_aggregate: selectAggregate(() => visit),
  visit_by_pk: selectByPk(() => visit),
  visit_group: selectMany(() => visit_group),
  visit_group_aggregate: selectAggregate(() => visit_group),
  visit_group_by_pk: selectByPk(() => visit_group),
  visit_group_group: selectGroups(() => visit_group),
};

/** Root fields of role admin. */
export const role = defineRole({
  role: "admin",
  query,
  subscription: {
    ...query,
    town_stream: streamRows(() => town),
    visit_group_stream: streamRows(() => visit_group),
    visit_stream: streamRows(() => visit),
  },
  mutation: {
    delete_town: deleteRows(() => town),
    delete_town_by_pk: deleteByPk(() => town),
    delete_visit: deleteRows(() => visit),
    delete_visit_by_pk: deleteByPk(() => visit),
    delete_visit_group: deleteRows(() => visit_group),
    delete_visit_group_by_pk: deleteByPk(() => visit_group),
    insert_town: insertRows(() => town),
    insert_town_one: insertRow(() => town),
    insert_visit: insertRows(() => visit),
    insert_visit_group: insertRows(() => visit_group),
    insert_visit_group_one: insertRow(() => visit_group),
    insert_visit_one: insertRow(() => visit),
    update_town: updateRows(() => town),
    update_town_by_pk: updateByPk(() => town),
    update_town_many: updateMany(() => town),
    update_visit: updateRows(() => visit),
    update_visit_by_pk: updateByPk(() => visit),
    update_visit_group: updateRows(() => visit_group),
    update_visit_group_by_pk: updateByPk(() => visit_group),
    update_visit_group_many: updateMany(() => visit_group),
    update_visit_many: updateMany(() => visit),
  },
  tables: () => tables,
});
