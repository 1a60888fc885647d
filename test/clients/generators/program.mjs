/** A folder with a program that uses generated code, and links to the packages of this project. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const packages = join(import.meta.dirname, "node_modules");

export class Program {
  constructor(folder) {
    this.folder = folder;
  }

  /**
   * Creates the folder.
   * @param files texts by path
   */
  static async open(files) {
    const program = new Program(await mkdtemp(join(tmpdir(), "engine-program-")));
    await symlink(packages, join(program.folder, "node_modules"));
    await program.write({ "package.json": '{ "name": "program", "type": "module" }', ...files });
    return program;
  }

  async write(files) {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.folder, path)), { recursive: true });
      await writeFile(join(this.folder, path), text);
    }
  }

  /** Runs a command of an installed package. Rejects with its output if it fails. */
  async run(command, ...args) {
    try {
      return await promisify(execFile)(join(packages, ".bin", command), args, { cwd: this.folder });
    } catch (error) {
      throw new Error(`${command}: ${error.stdout ?? ""}${error.stderr ?? error}`);
    }
  }

  /** Type-checks the program as its users would. */
  check() {
    const options = "--noEmit --strict --target es2022 --module esnext --moduleResolution bundler --skipLibCheck";
    return this.run("tsc", ...options.split(" "), "--lib", "es2022,dom", "src/program.ts");
  }

  /** Bundles the program, and imports the bundle. */
  async load() {
    const options = "--bundle --platform=node --format=cjs --outfile=program.cjs --log-level=error";
    await this.run("esbuild", ...options.split(" "), "src/program.ts");
    return import(pathToFileURL(join(this.folder, "program.cjs")));
  }

  close() {
    return rm(this.folder, { recursive: true, force: true });
  }
}

/** A function that sends the text of a document, for generated programs without their own client. */
export const transport = `
export async function send(url: string, headers: Record<string, string>, query: string, variables: unknown) {
  const body = JSON.stringify({ query, variables });
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors[0].extensions.code);
  return data;
}
`;

/** Documents for which every program exports functions. */
export const documents = {
  list: `query List($where: note_bool_exp, $offset: Int) {
    note(where: $where, order_by: [{ title: asc }], limit: 2, offset: $offset) { id title folder { name } }
  }`,
  create: "mutation Create($object: note_insert_input!) { insert_note_one(object: $object) { id stars } }",
  update:
    "mutation Update($id: uuid!, $stars: Int!) { update_note_by_pk(pk_columns: { id: $id }, _set: { stars: $stars }) { stars } }",
  remove: "mutation Remove($id: uuid!) { delete_note_by_pk(id: $id) { id } }",
};
