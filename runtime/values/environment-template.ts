/** Templates in the metadata that refer to environment variables: `https://{{HOST}}/hook`. */

type Environment = Readonly<Record<string, string | undefined>>;

const variable = /\{\{([^{}]*)\}\}/g;

/** Returns the distinct variables of a template that the environment lacks. */
export function missingVariables(template: string, environment: Environment): readonly string[] {
  const names = Array.from(template.matchAll(variable), ([, name = ""]) => name.trim());
  return [...new Set(names)].filter((name) => environment[name] === undefined);
}

/** Substitutes the variables of a template; missing ones become empty. */
export function resolveTemplate(template: string, environment: Environment): string {
  return compileTemplate(template)(environment);
}

/** Returns a function like `resolveTemplate`, for a template that is resolved often. */
export function compileTemplate(template: string): (environment: Environment) => string {
  const [start = "", ...parts] = template.split(variable);
  if (parts.length === 0) return () => template;
  // `parts` alternates between names and the texts after them.
  const names = parts.filter((_, i) => i % 2 === 0).map((name) => name.trim());
  const texts = parts.filter((_, i) => i % 2 === 1);
  return (environment) => names.reduce((text, name, i) => text + (environment[name] ?? "") + texts[i], start);
}
