/** Removes the parts of a URL from messages, because a result file is made to be attached to reports. */

interface Secrets {
  /** Replaced wherever they occur. */
  readonly anywhere: readonly string[];
  /** Replaced where they are whole words. */
  readonly words: readonly string[];
}

/** Returns the parts of the URL that must not be shown. */
export function secretsOf(url: URL): Secrets {
  const decoded = (text: string): string => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };
  const both = (text: string): readonly string[] => [text, decoded(text)].filter((each) => each !== "");
  return {
    anywhere: [url.href, ...both(url.password)],
    words: [...both(url.username), ...both(url.hostname), ...both(url.pathname.slice(1))],
  };
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");

export function withoutSecrets(text: string, { anywhere, words }: Secrets): string {
  const open = anywhere.reduce((shown, secret) => shown.replaceAll(secret, "<removed>"), text);
  return words.reduce(
    (shown, word) => shown.replace(new RegExp(`(?<![\\w.])${escaped(word)}(?![\\w.]*\\w)`, "g"), "<removed>"),
    open,
  );
}
