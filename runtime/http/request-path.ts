/**
 * Returns the path of a request target, without the query string. Also accepts the absolute form, which clients send to
 * a proxy (RFC 9112, 3.2.2).
 */
export function pathOf(target: string): string {
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  if (path.startsWith("/")) return path;
  const rest = absoluteForm.exec(path)?.[1];
  return rest === "" ? "/" : (rest ?? path);
}

const absoluteForm = /^https?:\/\/[^/]*(.*)$/i;
