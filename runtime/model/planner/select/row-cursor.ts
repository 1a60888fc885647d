/** The cursor of a row, made by the statement that finds the row; `runtime/model/relay/cursor.ts` reads it back. */
import type { JsonField } from "../../definitions/dialect.ts";
import type { Sql } from "../../definitions/sql.ts";
import { type BuildContext, relayOf } from "./context.ts";
import { type OrderItem, typeOfItem } from "./order.ts";

/** Its keys in the shape of `order_by`. */
export function cursorOf(keys: readonly OrderItem[], context: BuildContext): Sql {
  return relayOf(context).base64(keysObject(keys, 0, context));
}

function keysObject(keys: readonly OrderItem[], depth: number, context: BuildContext): Sql {
  const groups = new Map<string, OrderItem[]>();
  for (const item of keys) {
    const name = item.key[depth] ?? "";
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return context.dialect.jsonObject(
    [...groups].map(([key, items]): JsonField => {
      const [only] = items;
      const isLeaf = only !== undefined && only.key.length === depth + 1;
      return { key, value: isLeaf ? keyValue(only, context) : keysObject(items, depth + 1, context) };
    }),
  );
}

function keyValue(item: OrderItem, context: BuildContext): Sql {
  const relay = relayOf(context);
  const type = typeOfItem(item);
  return relay.keepsValue(type) ? item.value : relay.textOf({ value: item.value, type });
}
