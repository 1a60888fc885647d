/** The target of a request → the path that finds its route. */

/**
 * Without the query string. Clients of a proxy send the whole address (RFC 9112, 3.2.2), which every server has to take.
 */
export function pathOf(target: string): string {
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  if (path.startsWith("/")) return path;
  const rest = wholeAddress.exec(path)?.[1];
  return rest === "" ? "/" : (rest ?? path);
}

const wholeAddress = /^https?:\/\/[^/]*(.*)$/i;
