/** Maps `curl` commands of the documentation to fetch calls. */

/** Parses a command. @throws Error if it is not such a command */
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

/** Returns the commands of a page, each with its response in the following block. */
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
