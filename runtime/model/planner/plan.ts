/**
 * An operation for one role → a Plan: one statement for each source, and how the answer is put together. A plan
 * depends on the operation's text, on the role's modules and on the shape of its variables, never on their values.
 */
import type { FieldNode } from "graphql";
import { EngineError } from "../../values/errors.ts";
import type { MultiplexedStatement } from "../definitions/dialect.ts";
import type { ParameterSlot } from "../definitions/parameters.ts";
import type { FunctionRoot, RootField } from "../definitions/roots.ts";
import { joinSql, render, type Sql, sql } from "../definitions/sql.ts";
import type { SourceDefinition } from "../definitions/table.ts";
import type { RoleSchema } from "../schema/role-schema.ts";
import { type ActionPlan, type OutputRead, planAction } from "./action-plan.ts";
import type { JoinPlaces, JoinStep } from "./joins/join-plan.ts";
import { holdsJoins, JoinSteps } from "./joins/join-steps.ts";
import type { WritePlan } from "./mutate/plan.ts";
import { encryptPlaces, protectedPlaces } from "./protected-places.ts";
import { RemoteRequests } from "./remote-requests.ts";
import type { Operation } from "./request/document.ts";
import { InputReader } from "./request/input-reader.ts";
import type { RemotePlan } from "./request/remote/remote-request.ts";
import type { SelectedField } from "./request/selected-field.ts";
import { selectFields } from "./request/selection.ts";
import type { VariableUses } from "./request/variable-uses.ts";
import { callOfField, rowsOfCall } from "./select/call.ts";
import { type BuildContext, buildContext, type PlanOptions } from "./select/context.ts";
import {
  byType,
  entitiesOf,
  type SelectedEntities,
  selectEntities,
  selectionsOf,
  selectPlacedEntities,
} from "./select/entities.ts";
import { nativeOrigin } from "./select/native.ts";
import { nodeOf, selectNode } from "./select/node.ts";
import { selectAggregate, selectByKey, selectConnection, selectRow, selectRows } from "./select/select.ts";

/** One statement: a single row with one text column of JSON for each of its fields. */
export interface PlannedStatement {
  readonly source: string;
  readonly text: string;
  readonly slots: readonly ParameterSlot[];
  /** A root field calls a function, which may write, and reads session variables from the setting `engine.user`. */
  readonly callsFunctions?: true;
  /** It is several: what it reads are rows that a stored procedure answered before. */
  readonly inSteps?: true;
  /** The same for many sets of values at once: of a subscription. */
  readonly multiplexed?: MultiplexedStatement;
  /** Of a stream, whose row has a second column: where it stands after the rows of the first. */
  readonly cursor?: PlannedCursor;
}

export interface PlannedCursor {
  /** The column that the stream goes along, as the schema names it. */
  readonly column: string;
  /** Which of the slots it is. */
  readonly slot: number;
  /** Absent: the stream goes as far as there are rows. */
  readonly frontier?: PlannedFrontier;
  /** How a beginning that depends on the moment is evaluated, once; absent: the database has none. */
  readonly start?: {
    readonly isRelative: (text: string) => boolean;
    /** Gives the value of its only parameter as text. */
    readonly text: string;
  };
}

/** How far a stream may go. */
interface PlannedFrontier {
  /** Tells it (`StreamDialect.frontier`). */
  readonly text: string;
  /** Which of the slots takes it. */
  readonly slot: number;
}

/** The JSON of a field as databases build it → as the role gets it; absent: the same. */
interface Protected {
  readonly protect?: (json: string) => string;
}

/** What is joined to the value of a field; absent: nothing. */
interface Joined {
  readonly joins?: JoinPlaces;
}

/** One field of the answer, in its order. */
export type PlanPart =
  | (Protected &
      Joined & {
        readonly kind: "column";
        readonly key: string;
        readonly statement: number;
        readonly column: number;
      })
  /** A field of a mutation. */
  | (Protected & Joined & { readonly kind: "write"; readonly key: string; readonly write: number })
  | { readonly kind: "json"; readonly key: string; readonly json: string }
  /** The fields of a namespace. */
  | { readonly kind: "object"; readonly key: string; readonly parts: readonly PlanPart[] }
  | { readonly kind: "introspection"; readonly key: string; readonly nodes: readonly FieldNode[] }
  /** The SDL of the schema, for a gateway. */
  | { readonly kind: "sdl"; readonly key: string }
  /** A field that a remote server answers. */
  | (Joined & { readonly kind: "remote"; readonly key: string; readonly request: number })
  /** A field that the handler of an action answers. */
  | (Joined & { readonly kind: "action"; readonly key: string; readonly action: number })
  /** One list out of rows of several sources, or of several types that others are joined to. */
  | {
      readonly kind: "merged";
      readonly key: string;
      readonly columns: readonly (Joined & { readonly statement: number; readonly column: number })[];
    };

export interface Plan {
  readonly statements: readonly PlannedStatement[];
  /** The fields of a mutation, which run one after the other. */
  readonly writes: readonly WritePlan[];
  /** What remote servers are asked; absent: nothing. */
  readonly remotes?: readonly RemotePlan[];
  /** What handlers of actions are asked; absent: nothing. */
  readonly actions?: readonly ActionPlan[];
  /** What is asked of other sources and servers for values of these; absent: nothing. */
  readonly joins?: readonly JoinStep[];
  readonly parts: readonly PlanPart[];
}

export interface Planned {
  readonly plan: Plan;
  /** How the variables that were met are used: what the shape of a request is computed from. */
  readonly uses: VariableUses;
}

/**
 * Plans a query.
 * @throws EngineError `validation-failed` and others of `graphql-api.md` 1.6
 */
export function planQuery(
  operation: Operation,
  schema: RoleSchema,
  variables: Readonly<Record<string, unknown>>,
  options: PlanOptions,
): Planned {
  const inputs = new InputReader(operation, variables, options, schema.role);
  const { query: queryType, types } = schema;
  const { skipRemoteNulls } = options;
  const context = { operation, variables, inputs, queryType, types, skipRemoteNulls };
  const fields = selectFields(context, schema.query, [operation.definition.selectionSet], "$.selectionSet");
  const name = operation.definition.name?.value;
  return { plan: planFields(fields, variables, { ...options, operationName: name }), uses: inputs.uses };
}

/** A root field and what it asks by itself; absent: it asks no database. */
export interface PlannedField {
  readonly key: string;
  readonly statement?: PlannedStatement;
  /** Of the result of an action: what is read of each source for its objects. */
  readonly reads?: readonly OutputRead[];
  /** A remote server answers it. */
  readonly isRemote: boolean;
  /** What is joined to its value; absent: nothing. */
  readonly joins?: readonly JoinStep[];
}

/**
 * Plans the root fields of a query one by one.
 * @throws EngineError as `planQuery`
 */
export function planRootFields(
  operation: Operation,
  schema: RoleSchema,
  variables: Readonly<Record<string, unknown>>,
  options: PlanOptions,
): readonly PlannedField[] {
  const inputs = new InputReader(operation, variables, options, schema.role);
  const { query: queryType, types } = schema;
  const { skipRemoteNulls } = options;
  const context = { operation, variables, inputs, queryType, types, skipRemoteNulls };
  const fields = selectFields(context, schema.query, [operation.definition.selectionSet], "$.selectionSet");
  return fields.map((field) => {
    if (field.meta.kind === "action_call" && field.meta.call.use === "action") {
      throw new EngineError("invalid-params", "$", "query actions cannot be explained");
    }
    const { statements, joins, remotes, actions } = planFields([field], variables, options);
    const [statement] = statements;
    const isRemote = remotes !== undefined;
    const reads = actions?.flatMap((action) => action.reads);
    return {
      key: field.key,
      isRemote,
      ...(statement && { statement }),
      ...(reads && { reads }),
      ...(joins && { joins }),
    };
  });
}

/** As many columns as a row of any database can have. */
const maximumRootFields = 1600;

/** The fields of one source, which become one statement. */
interface SourceFields {
  readonly source: SourceDefinition;
  readonly context: BuildContext;
  readonly columns: Sql[];
  /** What columns are taken from. */
  readonly from: Sql[];
  callsFunctions: boolean;
}

/**
 * The plan of root fields: those of one source share a statement.
 * @param use `live`: it will be asked again and again, for several clients at once
 */
export function planFields(
  fields: readonly SelectedField[],
  variables: Readonly<Record<string, unknown>>,
  options: PlanOptions & { readonly operationName?: string | undefined },
  use: "once" | "live" = "once",
): Plan {
  const remotes = new RemoteRequests("query", options.operationName);
  const actions: ActionPlan[] = [];
  const joins = new JoinSteps(variables, options);
  const sources: SourceFields[] = [];
  const addColumn = ({
    source,
    value,
    callsFunction = false,
    listsFunction = false,
  }: Omit<PlannedRoot, "selection">) => {
    let statement = sources.findIndex((entry) => entry.source === source);
    if (statement < 0) {
      statement = sources.length;
      sources.push({
        source,
        context: buildContext(source.dialect, options, variables),
        columns: [],
        from: [],
        callsFunctions: false,
      });
    }
    const entry = sources[statement] as SourceFields;
    entry.callsFunctions ||= callsFunction;
    if (entry.columns.length === maximumRootFields) {
      const message = `the query selects more than ${maximumRootFields} root fields of one source`;
      throw new EngineError("validation-failed", "$", message);
    }
    const json = value(entry.context);
    const rows = listsFunction ? source.dialect.fromRows?.(json, entry.from.length + 1) : undefined;
    if (rows) entry.from.push(rows.item);
    entry.columns.push(source.dialect.asText(rows?.value ?? json));
    return { statement, column: entry.columns.length - 1 };
  };
  const parts = planParts(fields, (field, namespace): PlanPart => {
    const { key, meta } = field;
    if (meta.kind === "remote_request") {
      const request = remotes.add(meta.request, namespace);
      return { kind: "remote", key, request, ...joinsOf(joins, field, remotes.origin(request)) };
    }
    if (meta.kind === "action_call") {
      const action = actions.push(planAction(meta, field, variables, options)) - 1;
      return { kind: "action", key, action, ...joinsOf(joins, field, meta.call) };
    }
    if (meta.kind === "introspection") return { kind: "introspection", key, nodes: meta.nodes };
    if (meta.kind === "sdl") return { kind: "sdl", key };
    if (meta.kind !== "entities") {
      const root = rootOf(field, variables);
      const column = addColumn(root);
      const below = joins.collect(root.selection, sources[column.statement] ?? field);
      return { kind: "column", key, ...column, ...(below && { joins: below }), ...protection(root.selection, field) };
    }
    const selected = entitiesOf(field, meta.entities(), variables);
    // What is joined depends on the type: those with joins have lists of their own.
    const lists = selectionsOf(field, selected).some(holdsJoins) ? byType(selected) : selected;
    const [only, ...others] = lists;
    if (!only) return { kind: "json", key, json: "[]" };
    const addList = (entities: SelectedEntities, value: PlannedRoot["value"]) => {
      const column = addColumn({ source: entities.source, value });
      const [selection = [], ...rest] = selectionsOf(field, [entities]);
      const below = rest.length === 0 ? joins.collect(selection, sources[column.statement] ?? field) : undefined;
      return { ...column, ...(below && { joins: below }) };
    };
    if (others.length === 0) {
      return { kind: "column", key, ...addList(only, (context) => selectEntities(field, only, context)) };
    }
    const columns = lists.map((each) => addList(each, (context) => selectPlacedEntities(field, each, context)));
    return { kind: "merged", key, columns };
  });
  const statements = sources.map(({ source, context, columns, from: items, callsFunctions }): PlannedStatement => {
    const { before } = context;
    const from = items.length === 0 ? undefined : joinSql(items, ", ");
    const query = sql`select ${joinSql(columns, ", ")}${from ? sql` from ${from}` : sql``}`;
    const { text, slots } = render(joinSql([...before, query], ";\n"), source.dialect);
    return {
      source: source.name,
      text,
      slots,
      ...(callsFunctions ? { callsFunctions } : {}),
      ...(before.length > 0 ? { inSteps: true } : {}),
      ...(use === "live" ? { multiplexed: source.dialect.multiplex(columns, from) } : {}),
    };
  });
  return { statements, writes: [], ...someRemotes(remotes), ...someActions(actions), ...someJoins(joins), parts };
}

export function someRemotes(remotes: RemoteRequests): Pick<Plan, "remotes"> {
  const plans = remotes.plans();
  return plans.length === 0 ? {} : { remotes: plans };
}

export function someJoins(joins: JoinSteps): Pick<Plan, "joins"> {
  const steps = joins.finish();
  return steps.length === 0 ? {} : { joins: steps };
}

/** What is joined to the value of a root field. */
export function joinsOf(joins: JoinSteps, field: SelectedField, origin: object): { readonly joins?: JoinPlaces } {
  const places = joins.collectRoot(field, origin);
  return places ? { joins: places } : {};
}

export function someActions(actions: readonly ActionPlan[]): Pick<Plan, "actions"> {
  return actions.length === 0 ? {} : { actions };
}

/** What encrypts the ids and cursors in the JSON of a field, where the role gets some encrypted. */
export function protection(selection: readonly SelectedField[], { cursors }: SelectedField): Protected {
  const places = protectedPlaces(selection, cursors);
  return places ? { protect: (json) => encryptPlaces(json, places) } : {};
}

/** The parts of the answer to root fields, in namespaces or not. */
export function planParts(
  fields: readonly SelectedField[],
  plan: (field: SelectedField, namespace: SelectedField | undefined) => PlanPart,
  namespace?: SelectedField,
): readonly PlanPart[] {
  return fields.map((field): PlanPart => {
    const { key, meta, selection } = field;
    if (meta.kind === "constant") return { kind: "json", key, json: JSON.stringify(meta.value) };
    if (meta.kind === "namespace") return { kind: "object", key, parts: planParts(selection, plan, field) };
    return plan(field, namespace);
  });
}

/** Where a root field reads, and the JSON that it reads. */
interface PlannedRoot {
  readonly source: SourceDefinition;
  readonly value: (context: BuildContext) => Sql;
  readonly callsFunction?: boolean;
  /** The value is the list of the rows that a function gives. */
  readonly listsFunction?: boolean;
  /** What it selects. */
  readonly selection: readonly SelectedField[];
}

function rootOf(field: SelectedField, variables: Readonly<Record<string, unknown>>): PlannedRoot {
  const { meta } = field;
  if (meta.kind === "node") {
    const node = nodeOf(field, meta, variables);
    const { selection } = node;
    return { source: node.view.table.source, value: (context) => selectNode(node, context), selection };
  }
  if (meta.kind !== "root") throw new EngineError("unexpected", field.path, `field ${field.key} is not a root field`);
  const { root } = meta;
  const { source } = root.view().table;
  const { selection } = field;
  return {
    source,
    value: (context) => rootValue(field, root, context),
    callsFunction: "function" in root,
    listsFunction: root.kind === "function" && root.function.function.returnsSet,
    selection,
  };
}

/** The rows that a function gives, or its only row. */
export function functionValue(
  field: SelectedField,
  { view, function: call }: FunctionRoot,
  context: BuildContext,
): Sql {
  const select = call.function.returnsSet ? selectRows : selectRow;
  return select(view(), field, context, rowsOfCall(call, callOfField(call, field, context)));
}

function rootValue(field: SelectedField, root: RootField, context: BuildContext): Sql {
  const view = root.view();
  switch (root.kind) {
    case "select_many":
      return selectRows(view, field, context);
    case "native_query":
    case "stored_procedure":
      return selectRows(view, field, context, nativeOrigin(view, field, context));
    case "select_by_pk":
      return selectByKey(view, field, context);
    case "select_aggregate":
      return selectAggregate(view, field, context);
    case "select_connection":
      return selectConnection(view, field, context);
    case "function":
      return functionValue(field, root, context);
    case "function_aggregate":
      return selectAggregate(
        view,
        field,
        context,
        rowsOfCall(root.function, callOfField(root.function, field, context)),
      );
    case "function_connection":
      return selectConnection(
        view,
        field,
        context,
        rowsOfCall(root.function, callOfField(root.function, field, context)),
      );
  }
}
