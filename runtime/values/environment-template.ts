/** Texts of the metadata that name environment variables: `https://{{HOST}}/hook` (`automation.md` J.3). */

type Environment = Readonly<Record<string, string | undefined>>;

const variable = /\{\{([^{}]*)\}\}/g;

/** The variables that a template names and the environment does not have; each once. */
export function missingVariables(template: string, environment: Environment): readonly string[] {
  const names = Array.from(template.matchAll(variable), ([, name = ""]) => name.trim());
  return [...new Set(names)].filter((name) => environment[name] === undefined);
}

/** A template with the variables' values, once it was checked. */
export function resolveTemplate(template: string, environment: Environment): string {
  return compileTemplate(template)(environment);
}

/** The same for one that is resolved often. */
export function compileTemplate(template: string): (environment: Environment) => string {
  const [start = "", ...parts] = template.split(variable);
  if (parts.length === 0) return () => template;
  // A name and what follows it, in turns.
  const names = parts.filter((_, i) => i % 2 === 0).map((name) => name.trim());
  const texts = parts.filter((_, i) => i % 2 === 1);
  return (environment) => names.reduce((text, name, i) => text + (environment[name] ?? "") + texts[i], start);
}
