/** Reads the keys of groups: `by`. */
import { kindOfValue } from "../../../../values/describe-json.ts";
import { EngineError, pathTo } from "../../../../values/errors.ts";
import { isJsonNumber, numberText } from "../../../../values/json-number.ts";
import { didYouMean } from "../../../../values/nearest-name.ts";
import { type Alias, type Column, columnValue } from "../../../definitions/column.ts";
import type { DatePart, DateUnit, GroupedTime, TimeKind } from "../../../definitions/group-dialect.ts";
import { type Encode, type Encoder, sourceValue } from "../../../definitions/parameters.ts";
import { type Sql, verbatim } from "../../../definitions/sql.ts";
import type { ObjectRelationship } from "../../../definitions/view.ts";
import type { Input, ObjectInput } from "../../request/input.ts";
import { type BuildContext, operand } from "../context.ts";
import { joinRelated, type Scope } from "../scope.ts";

/** A value by which rows are grouped. */
export interface GroupKey {
  /** Text that identifies the key in messages: `publisher.country`, `born by year`. */
  readonly id: string;
  readonly value: Sql;
  /** Column name of the value. */
  readonly name: Sql;
  /** Converts the value to its JSON form. */
  readonly output: (value: Sql) => Sql;
}

const invalid = (path: string, message: string): EngineError => new EngineError("validation-failed", path, message);

/** The value that a key is derived from, and how. */
export interface KeyPlace {
  /** Names of the object relationships that lead to the row. */
  readonly names: readonly string[];
  readonly column: Column;
  readonly part?: DatePart | undefined;
  readonly isBucket?: boolean;
  readonly path?: string | undefined;
}

/** Returns the id of a key. Names of fields contain no spaces, so ids of different keys differ. */
function keyId({ names, column, part, isBucket = false, path }: KeyPlace): string {
  const id = [...names, column.field].join(".");
  if (part !== undefined) return `${id} by ${part}`;
  if (isBucket) return `${id} by width`;
  return path === undefined ? id : `${id} at ${path}`;
}

/** Returns the members of an object by name. */
export const membersOf = (input: Input | undefined): ReadonlyMap<string, Input> =>
  new Map(input?.kind === "object" ? input.members.map(({ name, value }) => [name, value]) : []);

export const columnOf = (input: Input | undefined): Column | undefined =>
  input?.kind === "enum" && input.meta.kind === "column" ? input.meta.column : undefined;

export const partOf = (input: Input | undefined): DatePart | undefined =>
  input?.kind === "enum" && input.meta.kind === "date_part" ? input.meta.part : undefined;

const unitOf = (input: Input | undefined): DateUnit | undefined =>
  input?.kind === "enum" && input.meta.kind === "date_unit" ? input.meta.unit : undefined;

/** Returns the text of a path, which the plan depends on. */
export function pathOf(input: Input | undefined, { variables }: BuildContext): string | undefined {
  if (input?.kind !== "value") return undefined;
  const value = sourceValue(input.source, variables);
  if (typeof value === "string") return value;
  const found = kindOfValue(value, input.source.kind !== "variable");
  throw invalid(input.path, `expected a string for type 'String', but found ${found}`);
}

/** The keys of one field with groups. */
export class GroupKeys {
  readonly all: readonly GroupKey[];

  constructor(all: readonly GroupKey[]) {
    this.all = all;
  }

  /**
   * Returns the key of a selected value or an ordering.
   * @throws EngineError `validation-failed` if `by` does not list it
   */
  find(place: KeyPlace, path: string): GroupKey {
    const id = keyId(place);
    const found = this.all.find((key) => key.id === id);
    if (found) return found;
    const ids = this.all.map((key) => key.id);
    const listed = ids.map((each) => `'${each}'`).join(", ");
    throw invalid(path, `'${id}' is not one of the keys in 'by': ${listed}`).withHint(() => didYouMean(id, ids));
  }
}

/**
 * Reads `by` and adds the joins of related rows to the scope.
 * @throws EngineError `validation-failed` for a list without keys, with the same key twice, or with an invalid key
 */
export function groupKeys(input: Input | undefined, path: string, scope: Scope, context: BuildContext): GroupKeys {
  const items = input?.kind === "list" ? input.items : input ? [input] : [];
  if (items.length === 0) throw invalid(pathTo(path, "args", "by"), "expected at least one key");
  const keys = new Map<string, GroupKey>();
  for (const item of items) {
    if (item.kind !== "object") continue;
    const key = readKey(item, { alias: scope.alias, names: [] }, scope, context);
    if (keys.has(key.id)) throw invalid(item.path, `'by' lists the key '${key.id}' twice`);
    keys.set(key.id, { ...key, name: verbatim(`k${keys.size + 1}`) });
  }
  return new GroupKeys([...keys.values()]);
}

interface KeyRow {
  readonly alias: Alias;
  readonly names: readonly string[];
}

/** The members of a key in `by`. */
interface GivenKey {
  readonly given: ReadonlyMap<string, Input>;
  readonly zone: Input | undefined;
  /** Path in the request. */
  readonly at: string;
}

type ReadKey = Omit<GroupKey, "name">;

function readKey(item: ObjectInput, row: KeyRow, scope: Scope, context: BuildContext): ReadKey {
  const given = membersOf(item);
  const column = columnOf(given.get("column"));
  const related = given.get("related");
  if ((column === undefined) === (related === undefined)) {
    throw invalid(item.path, "expected exactly one of 'column' and 'related'");
  }
  const { naming } = scope.view.table.source;
  const zone = given.get(naming.field("time_zone"));
  if (column) return columnKey(column, { given, zone, at: item.path }, row, context);
  if (given.size > 1) throw invalid(item.path, "'related' excludes the other fields: write them into its key");
  const [member, ...others] = related?.kind === "object" ? related.members : [];
  if (member?.meta.kind !== "relationship" || others.length > 0 || member.value.kind !== "object") {
    throw invalid(related?.path ?? item.path, "expected exactly one relationship");
  }
  const alias = joinRelated(scope, row.alias, member.meta.relationship as ObjectRelationship, context);
  return readKey(member.value, { alias, names: [...row.names, member.name] }, scope, context);
}

function columnKey(
  column: Column,
  { given, zone, at }: GivenKey,
  { alias, names }: KeyRow,
  context: BuildContext,
): ReadKey {
  const { groups, jsonPathType } = context.dialect;
  const value = columnValue(column, alias, context.session);
  const [part, unit] = [partOf(given.get("part")), unitOf(given.get("truncate"))];
  const [width, path] = [given.get("width"), given.get("path")];
  if ([part, unit, width, path].filter((each) => each !== undefined).length > 1) {
    throw invalid(at, "expected at most one of 'part', 'truncate', 'width' and 'path'");
  }
  const output = (stored: Sql): Sql => column.type.output?.(stored, context.options) ?? stored;
  const ofTime = part ?? unit;
  if (ofTime === undefined && zone) throw invalid(zone.path, "a time zone requires 'part' or 'truncate'");
  if (ofTime !== undefined) {
    const time = timeOf(column, ofTime, { zone, at }, value, context);
    // The start of a unit has the type of the column, and is its key.
    if (unit !== undefined) return { id: keyId({ names, column }), value: groups.startOf(unit, time), output };
    const local = time.kind === "moment" ? groups.inZone(value, time.zone) : value;
    return { id: keyId({ names, column, part }), value: groups.partOf(ofTime, local), output: (key) => key };
  }
  if (width) {
    if (!column.type.numeric || column.type.element) throw unsupported(width.path, column, "buckets", "numbers");
    const type = groups.widthType(column.type);
    const bucket = groups.bucketOf(value, operand(width, type, widthValue));
    return { id: keyId({ names, column, isBucket: true }), value: bucket, output: (key) => key };
  }
  if (path) {
    if (!groups.atPath || !column.type.json) throw unsupported(path.path, column, "paths", "JSON columns");
    const inside = groups.atPath.value(value, operand(path, jsonPathType));
    return { id: keyId({ names, column, path: pathOf(path, context) }), value: inside, output: (key) => key };
  }
  const key = groups.keyOf(value, column.type);
  if (key === undefined) throw incomparable(at, column);
  return { id: keyId({ names, column }), value: key, output };
}

const partsOfDay: ReadonlySet<DatePart> = new Set(["hour", "minute"]);

function timeOf(
  column: Column,
  part: DatePart,
  { zone, at }: Omit<GivenKey, "given">,
  value: Sql,
  { dialect: { groups } }: BuildContext,
): GroupedTime {
  const kind = groups.timeKind(column.type);
  if (kind === undefined) throw unsupported(at, column, "parts", "dates and times");
  if (!hasPart(kind, part)) {
    throw invalid(at, `values of type "${column.type.cast}" have no ${part}: "${column.field}"`);
  }
  if (zone && kind !== "moment") throw unsupported(zone.path, column, "time zones", "columns with a time zone");
  return { value, type: column.type, kind, zone: zone && operand(zone, groups.textType) };
}

const hasPart = (kind: TimeKind, part: DatePart): boolean =>
  kind === "date" ? !partsOfDay.has(part) : kind !== "time" || partsOfDay.has(part);

export function unsupported(path: string, { field, type }: Column, what: string, supporting: string): EngineError {
  return invalid(path, `only ${supporting} have ${what}, but "${field}" has the type "${type.cast}"`);
}

function incomparable(path: string, { field, type }: Column): EngineError {
  const error = invalid(path, `values of type "${type.cast}" cannot be compared for equality: "${field}"`);
  return type.json ? error.withHint(() => "group by a path of the column: path") : error;
}

/** Encodes numbers that a condition accepts. */
const encodeNumber =
  (what: string, accepts: (number: number) => boolean): Encode =>
  (value, path, literal) => {
    const text = isJsonNumber(value) ? numberText(value) : undefined;
    if (text !== undefined && accepts(Number(text))) return text;
    const found = text === undefined ? kindOfValue(value, literal === true) : text;
    throw invalid(path, `expected ${what} for type 'Float', but found ${found}`);
  };

const encodeWidth = encodeNumber("a positive number", (number) => number > 0 && Number.isFinite(number));
const encodeFraction = encodeNumber("a number from 0 to 1", (number) => number >= 0 && number <= 1);

export const widthValue: Encoder = { encode: encodeWidth, code: { name: "widthValue" } };
export const fractionValue: Encoder = { encode: encodeFraction, code: { name: "fractionValue" } };
