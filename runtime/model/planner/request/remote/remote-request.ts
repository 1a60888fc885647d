/** Upstream requests: remote fields by upstream name, and the sources of their variables. */
import type { RemoteSchema } from "../../../definitions/remote/remote-schema.ts";
import type { RemoteOperation } from "../../../schema/remote-type-set.ts";

/** A part of a selection on upstream types. */
export type RemoteNode = RemoteField | RemoteFragment;

export interface RemoteField {
  readonly kind: "field";
  /** Response key. */
  readonly key: string;
  /** Upstream name. */
  readonly name: string;
  /** Names and values as GraphQL text. */
  readonly args: readonly (readonly [name: string, value: string])[];
  /** `null` for scalars and enums. */
  readonly selection: readonly RemoteNode[] | null;
  /** Number of list levels around a value. */
  readonly lists: number;
}

export interface RemoteFragment {
  readonly kind: "fragment";
  /** Upstream name of the type condition, if any. */
  readonly type?: string;
  readonly selection: readonly RemoteNode[];
}

/** A variable of the upstream request. */
export interface RemoteVariable {
  readonly name: string;
  /** Upstream type. */
  readonly type: string;
  /** GraphQL text. */
  readonly defaultValue?: string;
  readonly value: RemoteValue;
}

export type RemoteValue =
  | {
      readonly kind: "request";
      /** Type as declared by the operation, in the role's names. */
      readonly declared: string;
      /** Request path of the variable. */
      readonly path: string;
      /** JSON default that the upstream request cannot declare, if any. */
      readonly otherwise?: unknown;
      /**
       * Validates the value of the variable with the same name and adds presets.
       * @throws EngineError
       */
      readonly read: (value: unknown, session: ReadonlyMap<string, string>) => unknown;
    }
  | {
      readonly kind: "session";
      /** Name of the session variable. */
      readonly variable: string;
      readonly read: (session: ReadonlyMap<string, string>) => unknown;
    };

/**
 * Locations of `__typename` in a value whose upstream names differ from the role's, by response key: the name to use
 * for a type that the role does not have, or nested locations.
 */
export type TypenamePlaces = ReadonlyMap<string, { readonly unknown: string } | TypenamePlaces>;

/** A remote root field. */
export interface SelectedRemote {
  readonly remote: RemoteSchema;
  readonly field: RemoteField;
  /** Variables by name. */
  readonly variables: ReadonlyMap<string, RemoteVariable>;
  /** Type names to translate in the value, if any. */
  readonly typenames?: TypenamePlaces;
}

/** One upstream request. */
export interface RemotePlan {
  readonly remote: RemoteSchema;
  /** GraphQL text. */
  readonly query: string;
  readonly operationName?: string;
  readonly variables: readonly RemoteVariable[];
  /** For mutations: number of preceding fields that write to databases. */
  readonly afterWrites: number;
  readonly fields: readonly RemotePlanField[];
}

interface RemotePlanField {
  readonly key: string;
  readonly typenames?: TypenamePlaces;
  /** Selection; absent if the shape of the value is unknown. */
  readonly selected?: RemoteField;
}

export interface RemoteOperationParts {
  readonly kind: RemoteOperation;
  readonly name?: string;
  /** At least one, of one remote schema. */
  readonly fields: readonly SelectedRemote[];
  readonly afterWrites: number;
}

export function remotePlan(
  remote: RemoteSchema,
  { kind, name, fields, afterWrites }: RemoteOperationParts,
): RemotePlan {
  const variables = new Map(fields.flatMap((field) => [...field.variables]));
  const head = `${kind}${name === undefined ? "" : ` ${name}`}`;
  return {
    remote,
    query: `${head}${declarations(variables.values())} ${selectionText(fields.map(({ field }) => field))}`,
    ...(name !== undefined && { operationName: name }),
    variables: [...variables.values()],
    afterWrites,
    fields: fields.map(({ field, typenames }) => ({
      key: field.key,
      selected: field,
      ...(typenames && { typenames }),
    })),
  };
}

/** Returns the variable declarations of an operation. */
export function declarations(variables: Iterable<Omit<RemoteVariable, "value">>): string {
  const declared = [...variables].map(({ name, type, defaultValue }) => {
    return `$${name}: ${type}${defaultValue === undefined ? "" : ` = ${defaultValue}`}`;
  });
  return declared.length === 0 ? "" : `(${declared.join(", ")})`;
}

/** Placeholder for an empty selection, which GraphQL does not allow; it returns an empty object. */
const emptySelection = "{ __typename @include(if: false) }";

export function selectionText(nodes: readonly RemoteNode[]): string {
  return nodes.length === 0 ? emptySelection : `{ ${nodes.map(nodeText).join(" ")} }`;
}

function nodeText(node: RemoteNode): string {
  if (node.kind === "fragment") {
    return `...${node.type === undefined ? "" : ` on ${node.type}`} ${selectionText(node.selection)}`;
  }
  const { key, name, args, selection } = node;
  const given = args.length === 0 ? "" : `(${args.map(([argument, value]) => `${argument}: ${value}`).join(", ")})`;
  return `${key === name ? "" : `${key}: `}${name}${given}${selection === null ? "" : ` ${selectionText(selection)}`}`;
}
