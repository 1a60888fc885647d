/** A folder with a program that uses generated code, and links to the packages of this project. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const packages = join(import.meta.dirname, "node_modules");

export class Program {
  #loads = 0;

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

  /** Bundles the program, and imports the bundle: a new file each time, because Node keeps modules by their paths. */
  async load() {
    const bundle = `program-${++this.#loads}.cjs`;
    const options = `--bundle --platform=node --format=cjs --outfile=${bundle} --log-level=error`;
    await this.run("esbuild", ...options.split(" "), "src/program.ts");
    return import(pathToFileURL(join(this.folder, bundle)));
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

/** Documents with groups, the first rows of groups, related rows and changes. */
const reports = {
  groups: `query Groups($having: note_aggregate_group_having) {
    note_group(by: { related: { folder: { column: name } } }, having: $having) {
      key { folder { name } }
      aggregate { count sum { stars } }
      nodes(order_by: [{ stars: desc }], limit: 1) { title }
    }
  }`,
  best: `query Best($best: note_top_per) {
    note(top_per: $best, order_by: [{ folder_id: asc }, { stars: desc }]) { title }
  }`,
  tidy: `mutation Tidy($folder: Int!, $notes: folder_related_input) {
    update_folder_by_pk(pk_columns: { id: $folder }, _related: $notes) { notes(order_by: [{ title: asc }]) { title } }
  }`,
  raise: `mutation Raise($where: note_bool_exp!) {
    update_note(where: $where, _inc: { stars: 1 }) { changes { inserted old { stars } new { stars } } }
  }`,
};

/**
 * Returns a program that sends the documents of `reports` and returns parts of their results with explicit types.
 * @param start defines `graphql` and `ask`
 */
export const reportSource = (start) => `
${start}
${Object.entries(reports)
  .map(([name, text]) => `const ${name} = graphql(\`${text}\`);`)
  .join("\n")}

export async function day(url: string, headers: Record<string, string>) {
  const { note_group } = await ask(url, headers, groups, { having: { count: { predicate: { _gt: 0 } } } });
  const folders: [string | null | undefined, number, number | null | undefined, string[]][] = note_group.map(
    ({ key, aggregate, nodes }) => [key.folder.name, aggregate.count, aggregate.sum?.stars, nodes.map(({ title }) => title)],
  );
  const { note } = await ask(url, headers, best, { best: { columns: ["folder_id"], limit: 1 } });
  const tops: string[] = note.map(({ title }) => title);
  const notes = {
    notes: {
      delete: { where: { stars: { _lt: 3 } } },
      update: [{ where: { title: { _eq: "note 05" } }, _set: { title: "kept" } }],
      insert: { data: [{ title: "new" }] },
    },
  };
  const tidied = await ask(url, headers, tidy, { folder: 1, notes });
  const titles: string[] | undefined = tidied.update_folder_by_pk?.notes.map(({ title }) => title);
  const raised = await ask(url, headers, raise, { where: { title: { _eq: "kept" } } });
  const changes = raised.update_note?.changes.map((change) => {
    const inserted: boolean = change.inserted;
    const stars: [number | undefined, number | undefined] = [change.old?.stars, change.new?.stars];
    return { inserted, stars };
  });
  return { folders, tops, titles, changes };
}
`;

/** The result of the program for a user with five notes. */
export const reported = {
  folders: [
    ["Archive", 2, 6, ["note 04"]],
    ["Inbox", 3, 9, ["note 05"]],
  ],
  tops: ["note 05", "note 04"],
  titles: ["kept", "new", "note 03"],
  changes: [{ inserted: false, stars: [5, 6] }],
};
