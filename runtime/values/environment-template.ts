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
  if (!template.includes("{{")) return template;
  return template.replace(variable, (_, name: string) => environment[name.trim()] ?? "");
}
