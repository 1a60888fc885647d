// Generated: change the metadata, not this file.
// From   role guest
// Slice  sha256:7950d13c

import { actionResult, callAction, defineRole, startAction } from "engine/support";
import { action as later } from "../../actions/later.js";
import { action as place_order } from "../../actions/place_order.js";
import { action as sizes } from "../../actions/sizes.js";

/** Fields of queries and subscriptions. */
const fields = {
  /** later(id: uuid!), the result of a finished call */
  later: actionResult(() => later),
};

/** Root fields of role guest. */
export const role = defineRole({
  role: "guest",
  query: {
    ...fields,
    /** sizes: [Size!] by {{CHECK_PATH}}/sizes */
    sizes: callAction(() => sizes),
  },
  subscription: fields,
  mutation: {
    /** later: Address by {{CHECK_PATH}}/later, asynchronous */
    later: startAction(() => later),
    /**
     * place_order(items: [Item!]!, note: json): Order! by {{CHECK_PATH}}/order, with the client's
     * headers except Cookie, Accept
     */
    place_order: callAction(() => place_order),
  },
});
