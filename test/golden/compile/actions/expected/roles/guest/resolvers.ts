// Generated: change the metadata, not this file.
// From   role guest
// Slice  sha256:a25a94ab

import { callAction, defineRole } from "engine/support";
import { action as place_order } from "../../actions/place_order.js";
import { action as sizes } from "../../actions/sizes.js";

/** What role guest may ask. */
export const role = defineRole({
  role: "guest",
  query: {
    /** sizes: [Size!] by {{CHECK_PATH}}/sizes */
    sizes: callAction(() => sizes),
  },
  mutation: {
    /**
     * place_order(items: [Item!]!, note: json): Order! by {{CHECK_PATH}}/order, with the headers of
     * the client but Cookie, Accept
     */
    place_order: callAction(() => place_order),
  },
});
