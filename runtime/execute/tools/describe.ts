/** Pages of the description of a role's schema. */

import type { RoleSchema } from "../../model/schema/role-schema.ts";
import {
  entryDetails,
  entryLine,
  mentions,
  type SchemaEntry,
  schemaEntries,
} from "../../model/tools/describe-schema.ts";
import type { DescribedPage, DescribeRequest } from "../../ports/agent-tools.ts";
import { EngineError, pathTo } from "../../values/errors.ts";
import { runInSlices } from "../../values/interruptible.ts";
import { didYouMean } from "../../values/nearest-name.ts";

type Entries = ReadonlyMap<string, SchemaEntry>;

/** Maximum length of a page in characters, which a model can read at once. */
const pageLength = 8000;

export class SchemaDescriptions {
  readonly #entries = new WeakMap<RoleSchema, Promise<Entries>>();

  /**
   * Returns a page of the list of tables, or of the details of one.
   * @throws EngineError for an unknown name or a malformed cursor
   */
  async page(schema: RoleSchema, { name, search, cursor }: DescribeRequest): Promise<DescribedPage> {
    const entries = await this.#entriesOf(schema);
    if (name === undefined) return pageOf(listOf(entries, search), cursor);
    const entry = entries.get(name) ?? entryWithRoot(entries, name);
    if (entry === undefined) throw unknown(name, entries);
    return pageOf(entryDetails(entry, schema), cursor);
  }

  #entriesOf(schema: RoleSchema): Promise<Entries> {
    let entries = this.#entries.get(schema);
    if (entries === undefined) {
      entries = runInSlices(schemaEntries(schema.transient()));
      entries.catch(() => this.#entries.delete(schema));
      this.#entries.set(schema, entries);
    }
    return entries;
  }
}

function listOf(entries: Entries, search: string | undefined): readonly string[] {
  const found = [...entries.values()].filter((entry) => search === undefined || mentions(entry, search));
  if (found.length > 0) return found.map(entryLine);
  return [search === undefined ? "This role has no tables." : "No table or root field mentions these words."];
}

const entryWithRoot = (entries: Entries, root: string): SchemaEntry | undefined =>
  [...entries.values()].find(({ rootFields }) => rootFields.some(({ name }) => name === root));

function unknown(name: string, entries: Entries): EngineError {
  const shown = name.slice(0, 100);
  const hint = didYouMean(shown, entries.keys()) ?? "list the tables without a name, or search for a word";
  return new EngineError("not-found", pathTo("$", "name"), `no table ${JSON.stringify(shown)}: ${hint}`);
}

/** Returns the lines that fit on the page, at least one. */
function pageOf(lines: readonly string[], cursor: string | undefined): DescribedPage {
  const from = cursor === undefined ? 0 : positionOf(cursor, lines.length);
  let [to, length] = [from, 0];
  for (const line of lines.slice(from)) {
    length += line.length + 1;
    if (to > from && length > pageLength) break;
    to += 1;
  }
  const text = lines.slice(from, to).join("\n");
  return to < lines.length ? { text, nextCursor: String(to) } : { text };
}

/** @throws EngineError `validation-failed` */
function positionOf(cursor: string, end: number): number {
  const position = /^\d{1,9}$/.test(cursor) ? Number(cursor) : end;
  if (position < end) return position;
  throw new EngineError("validation-failed", pathTo("$", "cursor"), "the cursor is not from an earlier page");
}
