/** Addresses of the server, derived from the page's own address, because a proxy may add a path prefix. */
import { configuration } from "../configuration.ts";

const marker = "/console";

function consoleAddress(pathname: string): string {
  const end = pathname.indexOf(`${marker}/`);
  return end >= 0 ? pathname.slice(0, end + marker.length) : pathname.replace(/\/$/, "");
}

/** Path of the console, without a trailing slash. */
export const consolePath = consoleAddress(location.pathname);

const serverPath = consolePath.slice(0, -marker.length);

/** @param path path of an endpoint, such as `/v1/graphql` */
export const endpoint = (path: string): string => `${location.origin}${serverPath}${path}`;

/**
 * Returns the address of an endpoint for other programs. The page of a project forwards requests to its server, from an
 * address that exists only while the command runs.
 */
export const serverEndpoint = (path: string): string =>
  configuration.projectServer === null ? endpoint(path) : configuration.projectServer.replace(/\/$/, "") + path;

/** Returns the WebSocket URL of an endpoint. */
export const websocketEndpoint = (path: string): string => endpoint(path).replace(/^http/, "ws");
