/** Headers of HTML pages: the console and the documentation. */

/** Sources that a page may use beside its own scripts, styles and pictures. */
export interface PageSources {
  /** Further sources of style sheets, such as a nonce. */
  readonly styles?: string;
  /** Further sources of pictures. */
  readonly pictures?: string;
  /** Sources of requests; default: none. */
  readonly requests?: string;
}

/** Returns headers that allow a page its own files and the given sources, and no framing. */
export function pageHeaders({ styles, pictures, requests }: PageSources = {}): Readonly<Record<string, string>> {
  const own = (more: string | undefined): string => (more === undefined ? "'self'" : `'self' ${more}`);
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${own(styles)}`,
    `img-src ${own(pictures)}`,
    ...(requests === undefined ? [] : [`connect-src ${requests}`]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    "content-security-policy": policy.join("; "),
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
}
