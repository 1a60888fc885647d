/**
 * Changes metadata in the text of its files, object by object. The old and the new metadata are canonical, so that
 * objects of a file are changed only if they mean something else.
 */
import { existsSync } from "node:fs";
import { basename, dirname, extname, join, relative } from "node:path";
import { diffArrays } from "diff";
import { isMap, isScalar, isSeq, type Node, type Pair } from "yaml";
import type { Json } from "../../../compiler/catalog/model.ts";
import { includeTarget, parseYaml, type YamlFile } from "../../metadata-text/yaml-file.ts";
import { IncludedFile, type YamlContent, yamlText } from "../../metadata-text/yaml-text.ts";
import { canonicalJson } from "../../values/canonical-json.ts";
import { isObject } from "../../values/is-object.ts";
import { stringifyJson } from "../../values/json-number.ts";
import {
  type Collection,
  childSlot,
  type Entry,
  type Slot,
  withEntries,
  withKey,
  withoutStaleAliases,
  withValue,
} from "./edit-yaml.ts";
import { fileNames, qualifiedFile } from "./file-names.ts";
import { alignedTo, identityOf, identityText, indexed, isRenamed } from "./identity.ts";
import { type IncludedLists, includedList, listKeys } from "./included-lists.ts";
import type { LoadedFile } from "./load-files.ts";
import { NotEditable, type Splice, spliced } from "./text-edits.ts";
import { styleOf, type YamlStyle } from "./yaml-style.ts";

/** Keys and identities from the root to a value. */
export type ObjectPath = readonly string[];

export const pathText = (path: ObjectPath): string => JSON.stringify(path);

interface EditInput {
  readonly files: ReadonlyMap<string, LoadedFile>;
  /** Objects that are rewritten as a whole, by the text of their path. */
  readonly rewritten: ReadonlySet<string>;
}

export class MetadataEdit {
  readonly #files: ReadonlyMap<string, LoadedFile>;
  readonly #rewritten: ReadonlySet<string>;
  readonly #uses = new Map<string, number>();
  readonly #parsed = new Map<string, YamlFile>();
  readonly #styles = new Map<string, YamlStyle>();
  readonly #splices = new Map<string, Splice[]>();
  readonly #texts = new Map<string, string | undefined>();
  /** Paths of the values that were changed. */
  readonly changed: ObjectPath[] = [];

  constructor({ files, rewritten }: EditInput) {
    this.#files = files;
    this.#rewritten = rewritten;
    for (const { includes } of files.values()) {
      for (const { path } of includes) this.#uses.set(path, (this.#uses.get(path) ?? 0) + 1);
    }
  }

  /** New texts of the files that change; `undefined` for deleted files. */
  get changes(): ReadonlyMap<string, string | undefined> {
    const changes = new Map(this.#texts);
    for (const [path, splices] of this.#splices) {
      const file = this.#yaml(path);
      if (file === undefined || changes.has(path)) continue;
      changes.set(path, spliced(file.source.text, withoutStaleAliases(file, this.#style(file), splices)));
    }
    return changes;
  }

  /** Sets the text of a file, new or existing; `undefined` deletes it. */
  setText(path: string, text: string | undefined): void {
    this.#texts.set(path, text);
  }

  /**
   * Changes the value of a file.
   * @param written the value as it is in the file
   * @param members keys from the value of the file to the value that changes
   */
  change(file: string, written: Json, old: Json | undefined, next: Json, path: ObjectPath, members: ObjectPath = []) {
    const yaml = this.#yaml(file);
    if (yaml === undefined) throw new Error(`invariant: ${file} was not read`);
    let slot: Slot = {
      file: yaml,
      style: this.#style(yaml),
      node: yaml.document.contents as Node | null,
      key: path.at(-1) ?? "",
    };
    for (const key of members) {
      const index = isMap<Node, Node | null>(slot.node) ? slot.node.items.findIndex((each) => keyOf(each) === key) : -1;
      if (index < 0) throw new NotEditable(`no ${key}`);
      slot = this.#followed(childSlot(slot, index, key)) ?? slot;
    }
    this.#add(slot.file, this.#edit(slot, written, old, next, path));
  }

  #add({ source }: YamlFile, splices: readonly Splice[]): void {
    if (splices.length === 0) return;
    this.#splices.set(source.file, [...(this.#splices.get(source.file) ?? []), ...splices]);
  }

  #yaml(path: string): YamlFile | undefined {
    const known = this.#parsed.get(path);
    if (known !== undefined) return known;
    const loaded = this.#files.get(path);
    if (loaded === undefined) return undefined;
    const isJson = extname(path) === ".json";
    const parsed = loaded.yaml ?? (isJson ? parseYaml(loaded.source) : undefined);
    if (parsed !== undefined) this.#parsed.set(path, parsed);
    return parsed;
  }

  #style(file: YamlFile): YamlStyle {
    const known = this.#styles.get(file.source.file);
    if (known !== undefined) return known;
    const others = () => [...this.#files.values()].flatMap(({ yaml }) => (yaml === undefined ? [] : [yaml]));
    const style = styleOf(file, others);
    this.#styles.set(file.source.file, style);
    return style;
  }

  /** Returns the path of a file that the value includes. */
  #included({ node, file }: Slot): string | undefined {
    const target = isScalar(node) ? includeTarget(node) : undefined;
    return target === undefined ? undefined : join(dirname(file.source.file), target);
  }

  /** Returns the slot of the value in an included file, unless that file is included elsewhere too. */
  #followed(slot: Slot): Slot | undefined {
    const path = this.#included(slot);
    if (path === undefined) return slot;
    const file = this.#yaml(path);
    if (file === undefined || this.#uses.get(path) !== 1) return undefined;
    const next = { file, style: this.#style(file), node: file.document.contents as Node | null, key: slot.key };
    return this.#followed(next);
  }

  /** Returns the splices of the slot's file, and adds those of included files. */
  #edit(slot: Slot, written: Json, old: Json | undefined, next: Json, path: ObjectPath): readonly Splice[] {
    if (isSame(old, next)) return [];
    const target = this.#followed(slot);
    if (target === undefined) return this.#editUnfollowed(slot, next, path);
    if (target.file !== slot.file) {
      this.#add(target.file, this.#editHere(target, written, old, next, path));
      return [];
    }
    return this.#editHere(target, written, old, next, path);
  }

  /** Changes a text file that only this value includes; otherwise, writes the value instead of the include. */
  #editUnfollowed(slot: Slot, next: Json, path: ObjectPath): readonly Splice[] {
    const file = this.#included(slot);
    this.changed.push(path);
    const isText = file !== undefined && this.#yaml(file) === undefined && this.#uses.get(file) === 1;
    if (isText && typeof next === "string") {
      this.setText(file, next);
      return [];
    }
    return withValue(slot, next);
  }

  #editHere(slot: Slot, written: Json, old: Json | undefined, next: Json, path: ObjectPath): readonly Splice[] {
    const { node } = slot;
    const isRewritten = this.#rewritten.has(pathText(path));
    try {
      if (isRewritten) return this.#replace(slot, next, path);
      if (
        isMap(node) &&
        isObject<Json>(written) &&
        isObject<Json>(next) &&
        (old === undefined || isObject<Json>(old))
      ) {
        return this.#editObject(slot, written, old ?? {}, next, path);
      }
      if (isSeq(node) && Array.isArray(written) && Array.isArray(old) && Array.isArray(next)) {
        return this.#editList(slot, written, old, next, path);
      }
      return this.#replace(slot, next, path);
    } catch (error) {
      if (!(error instanceof NotEditable) || isRewritten) throw error;
      return this.#replace(slot, next, path);
    }
  }

  #replace(slot: Slot, next: Json, path: ObjectPath): readonly Splice[] {
    this.changed.push(path);
    return withValue(slot, next);
  }

  #editObject(
    slot: Slot,
    written: Readonly<Record<string, Json>>,
    old: Readonly<Record<string, Json>>,
    next: Readonly<Record<string, Json>>,
    path: ObjectPath,
  ): readonly Splice[] {
    const pairs = (slot.node as Collection).items as readonly Pair<Node, Node | null>[];
    const keys = pairs.map(keyOf);
    const renamed = renamedKeys(old, next);
    const entries: Entry[] = [];
    keys.forEach((key, index) => {
      const value = member(next, key);
      const newKey = renamed.get(key);
      if (newKey !== undefined) {
        entries.push({ kept: index, splices: withKey(slot, index, newKey) });
        return;
      }
      // A key that canonical metadata lacks has its default, or no meaning.
      if (value === undefined && member(old, key) !== undefined) this.#drop(childSlot(slot, index, key));
      else if (value === undefined) entries.push({ kept: index, splices: [] });
      else {
        const splices = this.#edit(childSlot(slot, index, key), member(written, key) ?? null, member(old, key), value, [
          ...path,
          key,
        ]);
        entries.push({ kept: index, splices });
      }
    });
    const order = Object.keys(next);
    const present = new Set([...keys, ...renamed.values()]);
    for (const [position, key] of order.entries()) {
      const value = member(next, key);
      if (value === undefined || present.has(key) || isSame(member(old, key), value)) continue;
      const before = new Set(order.slice(0, position));
      const content = this.#contentOf(slot, written, key, value, path);
      entries.splice(positionAfter(entries, before, keys), 0, { key, value: content });
    }
    const isChanged = renamed.size > 0 || entries.length < keys.length || entries.some((entry) => !("kept" in entry));
    if (isChanged) this.changed.push(path);
    return withEntries(slot, entries);
  }

  /** Returns the value of a new key. Lists of tables and functions get files if the source has them already. */
  #contentOf(
    { file, node }: Slot,
    written: Readonly<Record<string, Json>>,
    key: string,
    value: Json,
    path: ObjectPath,
  ): YamlContent {
    const [section, source, ...others] = path;
    const list = listKeys.find((each) => each.list === key);
    if (section !== "sources" || source === undefined || others.length > 0 || list === undefined) return value;
    const pair = ((node as Collection).items as readonly Pair<Node, Node | null>[]).find(
      (each) => listKeys.some((other) => other.list === keyOf(each)) && Array.isArray(written[keyOf(each)]),
    );
    const sibling = pair && isScalar(pair.value) ? includeTarget(pair.value) : undefined;
    if (sibling === undefined) return value;
    return this.#includedList(file, dirname(dirname(sibling)), list, value);
  }

  #includedList({ source }: YamlFile, folder: string, list: IncludedLists, value: Json): YamlContent {
    const files = new Map<string, string>();
    const content = includedList(folder, list, value, files);
    for (const [path, text] of files) this.setText(join(dirname(source.file), path), text);
    return content;
  }

  #editList(
    slot: Slot,
    written: readonly Json[],
    old: readonly Json[],
    next: readonly Json[],
    path: ObjectPath,
  ): readonly Splice[] {
    const oldIndexes = indexed(old);
    const nextIndexes = indexed(next);
    const entries =
      oldIndexes === undefined || nextIndexes === undefined
        ? this.#inOrder(slot, written, old, next, path)
        : this.#byIdentity(slot, written, { old, oldIndexes, next, nextIndexes }, path);
    if (entries.some((entry) => !("kept" in entry)) || entries.length < written.length) this.changed.push(path);
    const isEmpty = written.length === 0 && !entries.some((entry) => "value" in entry && entry.text !== undefined);
    return isEmpty
      ? withValue(
          slot,
          entries.flatMap((entry) => ("value" in entry ? [entry.value] : [])),
        )
      : withEntries(slot, entries);
  }

  /** Changes a list whose elements have no identity, such as the columns of a permission. */
  #inOrder(
    slot: Slot,
    written: readonly Json[],
    old: readonly Json[],
    next: readonly Json[],
    path: ObjectPath,
  ): Entry[] {
    if (written.length !== old.length) throw new NotEditable("a list in another form");
    const entries: Entry[] = [];
    let from = 0;
    let to = 0;
    let removed: number[] = [];
    for (const part of diffArrays(old.map(canonicalJson), next.map(canonicalJson))) {
      if (part.removed) {
        removed = part.value.map((_, index) => from + index);
        from += part.value.length;
        continue;
      }
      part.value.forEach((_, index) => {
        const value = next[to + index] ?? null;
        const kept = part.added ? removed.shift() : from + index;
        if (kept === undefined) entries.push({ value });
        else entries.push(this.#keptItem(slot, kept, written, old[kept], value, [...path, String(kept)]));
      });
      this.#dropItems(slot, removed);
      removed = [];
      to += part.value.length;
      if (!part.added) from += part.value.length;
    }
    this.#dropItems(slot, removed);
    return entries;
  }

  #keptItem(slot: Slot, kept: number, written: readonly Json[], old: Json | undefined, next: Json, path: ObjectPath) {
    const item = childSlot(slot, kept, `${slot.key}[]`);
    return { kept, splices: this.#edit(item, written[kept] ?? null, old, next, path) };
  }

  #dropItems(slot: Slot, indexes: readonly number[]): void {
    for (const index of indexes) this.#drop(childSlot(slot, index, `${slot.key}[]`));
  }

  /** Deletes the files of a value that is removed. */
  #drop(slot: Slot): void {
    const remove = (path: string): void => {
      if (this.#uses.get(path) !== 1) return;
      this.setText(path, undefined);
      for (const include of this.#files.get(path)?.includes ?? []) remove(include.path);
    };
    const walk = (node: Node | null): void => {
      const path = this.#included({ ...slot, node });
      if (path !== undefined) remove(path);
      if (isMap<Node, Node | null>(node)) for (const { value } of node.items) walk(value);
      if (isSeq<Node>(node)) for (const item of node.items) walk(item);
    };
    walk(slot.node);
  }

  #byIdentity(
    slot: Slot,
    written: readonly Json[],
    lists: {
      readonly old: readonly Json[];
      readonly oldIndexes: ReadonlyMap<string, number>;
      readonly next: readonly Json[];
      readonly nextIndexes: ReadonlyMap<string, number>;
    },
    path: ObjectPath,
  ): Entry[] {
    const { old, oldIndexes, next, nextIndexes } = lists;
    const nextOf = renames(lists);
    for (const [identity, index] of oldIndexes) {
      const same = nextIndexes.get(identity);
      if (same !== undefined) nextOf.set(index, same);
    }
    const entries: Entry[] = [];
    /** Index in the new list of each kept entry. */
    const positions = new Map<Entry, number>();
    alignedTo(old, oldIndexes, written).forEach((aligned, index) => {
      const position = aligned === undefined ? undefined : nextOf.get(aligned);
      if (aligned === undefined) entries.push({ kept: index, splices: [] });
      else if (position === undefined) this.#dropItems(slot, [index]);
      else {
        const value = next[position] ?? null;
        const identity = identityOf(old[aligned]);
        const name = identity === undefined ? String(index) : identityText(identity);
        const entry = this.#keptItem(slot, index, written, old[aligned], value, [...path, name]);
        entries.push(entry);
        positions.set(entry, position);
      }
    });
    const kept = new Set(nextOf.values());
    const order = [...positions.values()];
    const isOrdered = order.every((position, index) => index === 0 || position > (order[index - 1] ?? 0));
    next.forEach((value, position) => {
      if (kept.has(position)) return;
      const entry = this.#newItem(slot, written, value, path);
      const before = (each: Entry): boolean => (positions.get(each) ?? Number.POSITIVE_INFINITY) < position;
      const at = isOrdered ? entries.findLastIndex(before) + 1 : entries.length;
      entries.splice(at, 0, entry);
      positions.set(entry, position);
    });
    return entries;
  }

  /** Returns a new element, in a file of its own if the list has files for its elements. */
  #newItem(slot: Slot, written: readonly Json[], value: Json, path: ObjectPath): Entry {
    const items = (slot.node as Collection).items as readonly Node[];
    const includes = items.flatMap((node, index) => {
      const target = isScalar(node) ? includeTarget(node) : undefined;
      return target === undefined ? [] : [{ node, target, value: written[index] ?? null }];
    });
    const list =
      path[0] === "sources" && path.length === 3 ? listKeys.find((each) => each.list === path[2]) : undefined;
    const isOwnFile = slot.holder === undefined && items.length === 0 && list !== undefined && path.length === 3;
    const sample = includes.at(-1);
    if (path.length === 1 && path[0] === "sources") return { value: this.#newSource(slot, written, value) };
    if ((sample === undefined || includes.length < items.length) && !isOwnFile) return { value };
    const folder = join(dirname(slot.file.source.file), dirname(sample?.target ?? "x"));
    const extension = extname(sample?.target ?? "x.yaml");
    const target = this.#newFile(folder, extension, value, sample);
    const reference = relative(dirname(slot.file.source.file), target).replaceAll("\\", "/");
    const yaml = { ...slot.style, lineBreak: "\n" };
    this.setText(
      target,
      extension === ".json" ? `${stringifyJson(value)}\n` : yamlText(value).replaceAll("\n", yaml.lineBreak),
    );
    const text = sample?.node === undefined ? undefined : includeText(sample.node, reference);
    return { value: new IncludedFile(reference), ...(text !== undefined && { text }) };
  }

  /** Returns the path of a new file, named like the other ones of its folder. */
  #newFile(
    folder: string,
    extension: string,
    value: Json,
    sample: { readonly target: string; readonly value: Json } | undefined,
  ): string {
    const label = (element: Json): { readonly label: string; readonly identity: string } => {
      const identity = identityOf(element);
      if (isObject<Json>(identity?.value)) return qualifiedFile(identity.value);
      return { label: String(identity?.value), identity: JSON.stringify(identity?.value) };
    };
    const isShort = (element: Json, name: string): boolean => {
      const identity = identityOf(element)?.value;
      return isObject<Json>(identity) && name === identity.name;
    };
    const own = label(value);
    const plain = identityOf(value)?.value;
    const sampleName = sample === undefined ? "" : basename(sample.target, extname(sample.target));
    const named =
      sample !== undefined && isShort(sample.value, sampleName) && isObject<Json>(plain)
        ? { ...own, label: String(plain.name) }
        : own;
    const isTaken = (name: string): boolean => {
      const path = join(folder, `${name}${extension}`);
      return this.#texts.get(path) !== undefined || (!this.#texts.has(path) && existsSync(path));
    };
    const [name = ""] = fileNames([named], ["tables", "functions"]);
    const [unique = ""] = fileNames([named], ["tables", "functions", named.label]);
    return join(folder, `${isTaken(name) ? unique : name}${extension}`);
  }

  /** Returns a new source, whose tables and functions have files unless those of the other sources have none. */
  #newSource(slot: Slot, written: readonly Json[], value: Json): YamlContent {
    const items = (slot.node as Collection).items as readonly Node[];
    const hasFiles = items.some(
      (node) =>
        isMap<Node, Node | null>(node) &&
        node.items.some(({ value: member }) => isScalar(member) && includeTarget(member) !== undefined),
    );
    if (!isObject<Json>(value) || (written.length > 0 && !hasFiles)) return value;
    const [folder = ""] = fileNames([{ label: String(value.name), identity: String(value.name) }], ["databases.yaml"]);
    const members = Object.entries(value).map(([key, member]): [string, YamlContent] => {
      const list = listKeys.find((each) => each.list === key);
      return [key, list === undefined ? member : this.#includedList(slot.file, folder, list, member)];
    });
    return Object.fromEntries(members);
  }
}

/** Returns the text of an include like that of another file. */
function includeText(sample: Node, path: string): string | undefined {
  if (!isScalar(sample)) return undefined;
  if (sample.type === "QUOTE_SINGLE") return `'!include ${path}'`;
  if (sample.type === "QUOTE_DOUBLE") return `"!include ${path}"`;
  return `!include ${path}`;
}

function keyOf({ key }: Pair<Node, Node | null>): string {
  if (!isScalar(key)) throw new NotEditable("a key that is not a string");
  return typeof key.value === "string" ? key.value : (key.source ?? String(key.value));
}

/** Returns an own member: names in metadata may be those of inherited members. */
export function member(object: Readonly<Record<string, Json>>, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

const isSame = (left: Json | undefined, right: Json | undefined): boolean =>
  left === right || (left !== undefined && right !== undefined && canonicalJson(left) === canonicalJson(right));

/** Returns the new name of each key whose value has another key now, such as a renamed column of a row filter. */
function renamedKeys(
  old: Readonly<Record<string, Json>>,
  next: Readonly<Record<string, Json>>,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const added = Object.keys(next).filter((key) => !Object.hasOwn(old, key));
  for (const [key, value] of Object.entries(old)) {
    if (Object.hasOwn(next, key)) continue;
    const [newKey, ...others] = added.filter((each) => isSame(member(next, each), value));
    if (newKey === undefined || others.length > 0) continue;
    found.set(key, newKey);
    added.splice(added.indexOf(newKey), 1);
  }
  return found;
}

/** Returns the position after the last entry whose key is one of those given; at the end, if there is none. */
function positionAfter(entries: readonly Entry[], before: ReadonlySet<string>, keys: readonly string[]): number {
  const at = entries.findLastIndex((entry) => {
    const key = "kept" in entry ? keys[entry.kept] : entry.key;
    return key !== undefined && before.has(key);
  });
  return at < 0 ? entries.length : at + 1;
}

/** Returns the index in the new list of each renamed element of the old list. */
function renames(lists: {
  readonly old: readonly Json[];
  readonly oldIndexes: ReadonlyMap<string, number>;
  readonly next: readonly Json[];
  readonly nextIndexes: ReadonlyMap<string, number>;
}): Map<number, number> {
  const { old, oldIndexes, next, nextIndexes } = lists;
  const found = new Map<number, number>();
  const gone = [...oldIndexes].filter(([identity]) => !nextIndexes.has(identity));
  const added = [...nextIndexes].filter(([identity]) => !oldIndexes.has(identity)).map(([, index]) => index);
  for (const [, index] of gone) {
    const candidates = added.filter((each) => isRenamed(old[index] ?? null, next[each] ?? null));
    const [candidate] = candidates;
    if (candidates.length !== 1 || candidate === undefined) continue;
    found.set(index, candidate);
    added.splice(added.indexOf(candidate), 1);
  }
  return found;
}
