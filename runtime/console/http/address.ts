/** Where the server is: the page may be behind a path of another server, so all addresses follow from the page's own. */

const marker = "/console";

function consoleAddress(pathname: string): string {
  const end = pathname.indexOf(`${marker}/`);
  return end >= 0 ? pathname.slice(0, end + marker.length) : pathname.replace(/\/$/, "");
}

/** Path of the console, without a slash at the end. */
export const consolePath = consoleAddress(location.pathname);

const serverPath = consolePath.slice(0, -marker.length);

/** @param path of an endpoint: `/v1/graphql` */
export const endpoint = (path: string): string => `${location.origin}${serverPath}${path}`;

/** The same for WebSockets. */
export const websocketEndpoint = (path: string): string => endpoint(path).replace(/^http/, "ws");
