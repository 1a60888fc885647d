/** Commands of `curl` as pages of the documentation write them → what to fetch. */

/** @throws Error where it is no such command */
export function requestOf(command: string): { readonly path: string; readonly init: RequestInit } {
  const path = /http:\/\/localhost:8080([^\s']+)/.exec(command)?.[1];
  if (path === undefined) throw new Error(`no command of curl: ${command}`);
  const headers = [...command.matchAll(/-H '([^:']+): ([^']*)'/g)].map(([, name = "", value = ""]) => [name, value]);
  const body = /-d '([^']*)'/.exec(command)?.[1];
  const type = "application/x-www-form-urlencoded";
  return {
    path,
    init: {
      method: body === undefined ? "GET" : "POST",
      headers: { ...(body !== undefined && { "content-type": type }), ...lowerCase(headers) },
      ...(body !== undefined && { body }),
    },
  };
}

function lowerCase(headers: readonly (readonly string[])[]): Record<string, string> {
  return Object.fromEntries(headers.map(([name = "", value = ""]) => [name.toLowerCase(), value]));
}

/** The blocks of a page that are such commands, each with the block behind it: its answer. */
export function examplesOf(page: string): readonly { readonly command: string; readonly answer: string }[] {
  const blocks = [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }));
  return blocks.flatMap(({ language, text }, i) => {
    const answer = blocks[i + 1];
    const isAnswer = answer?.language === "json" || answer?.language === "text";
    return language === "sh" && text.startsWith("curl ") && isAnswer ? [{ command: text, answer: answer.text }] : [];
  });
}
