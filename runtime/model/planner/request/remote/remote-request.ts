/** What is asked of a remote server: fields in its names, and where the values of their variables come from. */
import type { RemoteSchema } from "../../../definitions/remote/remote-schema.ts";
import type { RemoteOperation } from "../../../schema/remote-type-set.ts";

/** A part of a selection on the server's types. */
export type RemoteNode = RemoteField | RemoteFragment;

export interface RemoteField {
  readonly kind: "field";
  /** Of the answer. */
  readonly key: string;
  /** As the server calls it. */
  readonly name: string;
  /** Names and GraphQL text of values. */
  readonly args: readonly (readonly [name: string, value: string])[];
  /** `null`: of a scalar or enum. */
  readonly selection: readonly RemoteNode[] | null;
  /** In how many lists a value stands. */
  readonly lists: number;
}

export interface RemoteFragment {
  readonly kind: "fragment";
  /** As the server calls it; absent: the type around. */
  readonly type?: string;
  readonly selection: readonly RemoteNode[];
}

/** A variable of the request to the server. */
export interface RemoteVariable {
  readonly name: string;
  /** As the server calls it. */
  readonly type: string;
  /** GraphQL text. */
  readonly defaultValue?: string;
  readonly value: RemoteValue;
}

export type RemoteValue =
  | {
      readonly kind: "request";
      /** As the operation declares it, in the names of the role. */
      readonly declared: string;
      /** Of the place where the variable stands. */
      readonly path: string;
      /** What stands in where the request gives none, as JSON; absent: what the server is told, or nothing. */
      readonly otherwise?: unknown;
      /**
       * A value of the variable of the same name → the value for the server, checked and with presets.
       * @throws EngineError
       */
      readonly read: (value: unknown, session: ReadonlyMap<string, string>) => unknown;
    }
  | {
      readonly kind: "session";
      /** Of the session. */
      readonly variable: string;
      readonly read: (session: ReadonlyMap<string, string>) => unknown;
    };

/**
 * Where in the value of a field `__typename` stands whose values are not those that the role knows. By key of the
 * answer: what the place says for a type that the role does not know, or the places below.
 */
export type TypenamePlaces = ReadonlyMap<string, { readonly unknown: string } | TypenamePlaces>;

/** A root field that a remote server answers. */
export interface SelectedRemote {
  readonly remote: RemoteSchema;
  readonly field: RemoteField;
  /** By name. */
  readonly variables: ReadonlyMap<string, RemoteVariable>;
  /** In the value of the field; absent: nothing is renamed. */
  readonly typenames?: TypenamePlaces;
}

/** One request to a remote server. */
export interface RemotePlan {
  readonly remote: RemoteSchema;
  /** GraphQL text. */
  readonly query: string;
  readonly operationName?: string;
  readonly variables: readonly RemoteVariable[];
  /** Of a mutation: how many fields write to databases before. */
  readonly afterWrites: number;
  /** The fields that it asks for. */
  readonly fields: readonly RemotePlanField[];
}

interface RemotePlanField {
  readonly key: string;
  readonly typenames?: TypenamePlaces;
  /** What is selected; absent: nobody knows how its value looks. */
  readonly selected?: RemoteField;
}

export interface RemoteOperationParts {
  readonly kind: RemoteOperation;
  readonly name?: string;
  /** At least one, of one remote schema. */
  readonly fields: readonly SelectedRemote[];
  readonly afterWrites: number;
}

/** The request for fields of one server. */
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

/** The variables of an operation, behind its name. */
export function declarations(variables: Iterable<Omit<RemoteVariable, "value">>): string {
  const declared = [...variables].map(({ name, type, defaultValue }) => {
    return `$${name}: ${type}${defaultValue === undefined ? "" : ` = ${defaultValue}`}`;
  });
  return declared.length === 0 ? "" : `(${declared.join(", ")})`;
}

/** A selection of nothing is none: the placeholder leaves an empty object. */
const nothing = "{ __typename @include(if: false) }";

export function selectionText(nodes: readonly RemoteNode[]): string {
  return nodes.length === 0 ? nothing : `{ ${nodes.map(nodeText).join(" ")} }`;
}

function nodeText(node: RemoteNode): string {
  if (node.kind === "fragment") {
    return `...${node.type === undefined ? "" : ` on ${node.type}`} ${selectionText(node.selection)}`;
  }
  const { key, name, args, selection } = node;
  const given = args.length === 0 ? "" : `(${args.map(([argument, value]) => `${argument}: ${value}`).join(", ")})`;
  return `${key === name ? "" : `${key}: `}${name}${given}${selection === null ? "" : ` ${selectionText(selection)}`}`;
}
