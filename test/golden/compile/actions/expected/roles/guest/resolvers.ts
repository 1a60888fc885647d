// Generated: change the metadata, not this file.
// From   role guest
// Slice  sha256:eb133cd6

import { actionResult, callAction, defineRole, startAction } from "engine/support";
import { action as later } from "../../actions/later.js";
import { action as place_order } from "../../actions/place_order.js";
import { action as sizes } from "../../actions/sizes.js";

/** Fields of queries and of subscriptions. */
const fields = {
  /** later(id: uuid!), its result once it has ended */
  later: actionResult(() => later),
};

/** What role guest may ask. */
export const role = defineRole({
  role: "guest",
  query: {
    ...fields,
    /** sizes: [Size!] by {{CHECK_PATH}}/sizes */
    sizes: callAction(() => sizes),
  },
  subscription: fields,
  mutation: {
    /** later: Address by {{CHECK_PATH}}/later, which nobody waits for */
    later: startAction(() => later),
    /**
     * place_order(items: [Item!]!, note: json): Order! by {{CHECK_PATH}}/order, with the headers of
     * the client but Cookie, Accept
     */
    place_order: callAction(() => place_order),
  },
});
