/** Hints of a tool: whether its operation can write, and what a second call changes. Derived, not declared. */
import { Kind, type ValueNode } from "graphql";
import type { FunctionDefinition } from "../definitions/function.ts";
import type { WriteKind } from "../definitions/roots.ts";
import type { AgentToolHints } from "../definitions/tools/agent-tool.ts";
import type { ResultField, SelectedField } from "../planner/request/describe-operation.ts";
import type { InputTypeDef, OutputMeta } from "../schema/types.ts";

export interface HintOptions {
  /** Returns true for a function that may write. */
  readonly isVolatile: (definition: FunctionDefinition) => boolean;
}

interface Write {
  readonly destructive: boolean;
  readonly idempotent: boolean;
}

/** A call with unknown effects: a volatile function, SQL of the metadata, a handler, another server. */
const unknownWrite: Write = { destructive: true, idempotent: false };

export function hintsOf(
  fields: readonly ResultField[],
  kind: "query" | "mutation",
  options: HintOptions,
): AgentToolHints {
  const writes: Write[] = [];
  let openWorld = false;
  const visit = ({ selected, fields: inner }: ResultField): void => {
    if (selected !== undefined) {
      openWorld ||= isOutside(selected.field.meta);
      writes.push(...writesOf(selected, kind, options));
    }
    inner.forEach(visit);
  };
  fields.forEach(visit);
  return {
    readOnly: writes.length === 0,
    destructive: writes.some(({ destructive }) => destructive),
    // The second run of several writes may find rows that the first run changed after reading them.
    idempotent: writes.length <= 1 && writes.every(({ idempotent }) => idempotent),
    openWorld,
  };
}

function isOutside(meta: OutputMeta): boolean {
  if (meta.kind === "action") return meta.root.kind !== "action_result";
  return meta.kind === "remote" || meta.kind === "remote_join";
}

function writesOf(selected: SelectedField, kind: "query" | "mutation", options: HintOptions): readonly Write[] {
  const { meta } = selected.field;
  switch (meta.kind) {
    case "write":
      return [writeOf(meta.root.kind, selected)];
    case "root":
      return mayWrite(meta.root, kind, options) ? [unknownWrite] : [];
    case "action":
      return meta.root.kind !== "action_result" && meta.root.action().type === "mutation" ? [unknownWrite] : [];
    case "remote":
      return kind === "mutation" ? [unknownWrite] : [];
    default:
      return [];
  }
}

type Root = Extract<OutputMeta, { readonly kind: "root" }>["root"];

function mayWrite(root: Root, kind: "query" | "mutation", { isVolatile }: HintOptions): boolean {
  if ("function" in root) return kind === "mutation" || isVolatile(root.function.function);
  // Their SQL may call any function.
  return root.kind === "native_query" || root.kind === "stored_procedure";
}

function writeOf(kind: WriteKind, selected: SelectedField): Write {
  switch (kind) {
    case "insert":
    case "insert_one":
      return { destructive: isUpsert(selected), idempotent: false };
    case "update":
    case "update_by_pk":
      return { destructive: true, idempotent: argumentNames(selected).every(isSetOrCondition) };
    case "update_many":
      return { destructive: true, idempotent: argumentsOf(selected).every(([, value]) => onlySets(value)) };
    case "delete":
    case "delete_by_pk":
      return { destructive: true, idempotent: true };
  }
}

function argumentsOf({ nodes }: SelectedField): readonly (readonly [string, ValueNode])[] {
  return nodes.flatMap(({ arguments: given = [] }) => given.map(({ name, value }) => [name.value, value] as const));
}

const argumentNames = (selected: SelectedField): readonly string[] => argumentsOf(selected).map(([name]) => name);

/** Returns true for `_set` and for the arguments that select rows, which have no underscore. */
const isSetOrCondition = (name: string): boolean => name === "_set" || !name.startsWith("_");

/** Returns true if the updates are written out and each only sets columns. */
function onlySets(updates: ValueNode): boolean {
  if (updates.kind === Kind.LIST) return updates.values.length <= 1 && updates.values.every(onlySets);
  return updates.kind === Kind.OBJECT && updates.fields.every(({ name }) => isSetOrCondition(name.value));
}

// An upsert has a conflict argument, for its rows or for nested rows. With `return_existing` it changes no existing row.

function isUpsert(selected: SelectedField): boolean {
  const known = selected.field.args();
  return argumentsOf(selected).some(([name, value]) => {
    if (name !== "object" && name !== "objects") return value.kind !== Kind.NULL && !returnsExisting(value);
    const type = known.get(name)?.type();
    return type !== undefined && hasConflict(value, type);
  });
}

function hasConflict(value: ValueNode, type: InputTypeDef): boolean {
  switch (value.kind) {
    case Kind.LIST:
      return value.values.some((item) => hasConflict(item, type));
    case Kind.OBJECT:
      return value.fields.some(({ name, value: member }) => {
        const field = type.kind === "input" ? type.fields().get(name.value) : undefined;
        if (field === undefined || field.meta.kind === "column") return false;
        const changes = isConflict(name.value, field.type()) && !returnsExisting(member);
        return changes || hasConflict(member, field.type());
      });
    case Kind.VARIABLE:
      return canConflict(type, new Set());
    default:
      return false;
  }
}

/** Returns true for a conflict argument that returns existing rows. It is refused together with columns to update. */
function returnsExisting(value: ValueNode): boolean {
  if (value.kind !== Kind.OBJECT) return false;
  return value.fields.some(
    ({ name, value: flag }) => returnFlags.has(name.value) && flag.kind === Kind.BOOLEAN && flag.value,
  );
}

/** Names of the flag in both naming conventions. */
const returnFlags = new Set(["return_existing", "returnExisting"]);

/** Returns true if a value of the type may contain a conflict argument. */
function canConflict(type: InputTypeDef, visited: Set<InputTypeDef>): boolean {
  if (type.kind !== "input" || visited.has(type)) return false;
  visited.add(type);
  return [...type.fields()].some(
    ([name, field]) =>
      field.meta.kind !== "column" && (isConflict(name, field.type()) || canConflict(field.type(), visited)),
  );
}

/**
 * Rows are in `data`; nested rows are members of rows. The other input objects change existing rows: the conflict
 * argument, and `_related`, which connects them.
 */
const isConflict = (name: string, type: InputTypeDef): boolean =>
  type.kind === "input" && name !== "data" && !type.isRow && !type.fields().has("data");
