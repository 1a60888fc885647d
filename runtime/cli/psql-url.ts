/** URLs of PostgreSQL databases for `psql`, without their passwords, which other programs see in its arguments. */

export interface PsqlUrl {
  readonly url: string;
  /** `undefined` if the URL contains none. */
  readonly password: string | undefined;
}

/** Separates the password from a URL; `undefined` for text that is no URL of PostgreSQL. */
export function psqlUrl(text: string): PsqlUrl | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!/^postgres(?:ql)?:$/.test(url.protocol)) return undefined;
  const password = decoded(url.password) ?? url.searchParams.get("password") ?? undefined;
  url.password = "";
  const secret = [...url.searchParams.keys()].filter((name) => /password/i.test(name));
  for (const name of secret) url.searchParams.delete(name);
  // `psql` does not have this mode of the engine's driver, which also encrypts without checking the certificate.
  if (url.searchParams.get("sslmode") === "no-verify") url.searchParams.set("sslmode", "require");
  // `URLSearchParams` writes a space as `+`, which libpq does not decode.
  url.search = url.search.replaceAll("+", "%20");
  return { url: url.href, password };
}

function decoded(part: string): string | undefined {
  if (part === "") return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
