// The part of undici that the bundle contains under the name `undici`: calls through agents. The package's own index loads
// all of it, including `fetch`, mocks and caches: a third of an artifact, which Node would compile before it serves.

import apiRequest from "../node_modules/undici/lib/api/api-request.js";
import util from "../node_modules/undici/lib/core/util.js";
import Agent from "../node_modules/undici/lib/dispatcher/agent.js";

export { Agent };

/** Replaces the package's `request` for calls with an explicit dispatcher. */
export function request(address, { dispatcher, ...options }) {
  const { origin, pathname, search } = util.parseURL(address);
  return apiRequest.call(dispatcher, { ...options, origin, path: `${pathname}${search}` });
}
