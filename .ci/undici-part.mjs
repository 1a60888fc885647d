// What stands in the bundle for `undici`: calls through agents. The package's own index loads all of it, `fetch`, mocks
// and caches included, which is a third of an artifact that Node has to read before it serves.

import apiRequest from "../node_modules/undici/lib/api/api-request.js";
import util from "../node_modules/undici/lib/core/util.js";
import Agent from "../node_modules/undici/lib/dispatcher/agent.js";

export { Agent };

/** As that of the package, for calls that name their dispatcher. */
export function request(address, { dispatcher, ...options }) {
  const { origin, pathname, search } = util.parseURL(address);
  return apiRequest.call(dispatcher, { ...options, origin, path: `${pathname}${search}` });
}
