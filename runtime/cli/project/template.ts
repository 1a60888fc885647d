/** Reads the templates of `engine init` from `fixtures/templates/`: the folder `shared`, and one folder per template. */
import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import packageJson from "../../../package.json" with { type: "json" };
import { packageFolder } from "../../config/package-folder.ts";
import { EngineError } from "../../values/errors.ts";
import { variables } from "./choices.ts";

/** Files of all templates. A template replaces those that it also has. */
const sharedFolder = "shared";

/** The endpoint in files of templates. */
const templateEndpoint = "http://localhost:8080";

/**
 * A random secret in the template of `.env`. It is empty in `.env.example`: a server that starts with a copy of that
 * file must not have a secret that others know.
 */
const randomSecret = /\{\{random\}\}/g;

const templatesFolder = (): string => fileURLToPath(new URL("fixtures/templates", packageFolder()));

/** @throws EngineError without the templates, which the container image leaves out */
export async function templateNames(): Promise<readonly string[]> {
  const entries = await readdir(templatesFolder()).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    const remedy = `run \`npm create ${packageJson.name} FOLDER\` on the machine where you edit the project`;
    const message = `this installation, such as the container image of the server, has no templates; ${remedy}`;
    throw new EngineError("not-found", "$", message, { cause: error });
  });
  return entries.filter((name) => name !== sharedFolder).sort();
}

export interface TemplateValues {
  /** Name of the project's folder. */
  readonly project: string;
  readonly endpoint?: string | undefined;
  readonly adminSecret?: string | undefined;
}

/** Returns the files of a new project: their texts by path, with slashes. */
export async function readTemplate(name: string, values: TemplateValues): Promise<ReadonlyMap<string, string>> {
  const { project, endpoint = templateEndpoint, adminSecret } = values;
  const sources = { ...(await filesOf(sharedFolder)), ...(await filesOf(name)) };
  const files = new Map<string, string>();
  for (const path of Object.keys(sources).sort()) {
    const text = (await readFile(sources[path] ?? "", "utf8")).replaceAll(templateEndpoint, endpoint);
    if (path === "package.json") files.set(path, packageText(text, project));
    // npm leaves files of this name out of packages.
    else if (path === "gitignore") files.set(".gitignore", text);
    else if (path === ".env.example") {
      files.set(path, text.replace(randomSecret, ""));
      files.set(".env", withSecrets(text, adminSecret));
    } else files.set(path, text);
  }
  return files;
}

/** Returns the files in one folder: their full paths by the path in the project. */
async function filesOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const root = join(templatesFolder(), folder);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(files.map((file) => [relative(root, file).split(sep).join("/"), file]));
}

/** Adds the name of the project, and the engine at this version as a dependency. */
function packageText(text: string, project: string): string {
  const { dependencies, devDependencies, ...others } = JSON.parse(text);
  // npm refuses other characters in names of packages, and packages that depend on their own name.
  const allowed =
    project
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "") || "project";
  const name = allowed === packageJson.name ? `${allowed}-project` : allowed;
  const own = { [packageJson.name]: `^${packageJson.version}` };
  const all = { name, ...others, dependencies: { ...own, ...dependencies }, devDependencies };
  return `${JSON.stringify(all, null, 2)}\n`;
}

/** Returns the text of `.env` with random secrets, and the admin secret if it is set. */
function withSecrets(example: string, adminSecret: string | undefined): string {
  const text = example.replace(randomSecret, () => randomBytes(32).toString("hex"));
  if (adminSecret === undefined) return text;
  const others = text.replace(new RegExp(`^${variables.adminSecret}=.*\\n`, "m"), "");
  return `${others}\n${variables.adminSecret}=${JSON.stringify(adminSecret)}\n`;
}
