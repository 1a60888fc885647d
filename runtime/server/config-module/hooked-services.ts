/** Wraps services so that their operations run between hooks. */
import type { AgentToolService } from "../../ports/agent-tools.ts";
import type { GraphqlService, PreparedOperation, SubscriptionSink } from "../../ports/graphql.ts";
import { type HookedApi, type OperationEnd, type OperationHooks, withHooks } from "../../ports/operation-hooks.ts";
import type { RestService } from "../../ports/rest.ts";
import type { RootFieldService } from "../../ports/root-fields.ts";

export function hookedGraphql(service: GraphqlService, api: HookedApi, hooks: OperationHooks): GraphqlService {
  return {
    execute: (request, by, caller, headers) =>
      withHooks(hooks, [api, request, by], () => service.execute(request, by, caller, headers)),
    async prepare(request, by) {
      const end = await hooks.begin(api, request, by);
      try {
        return ending(await service.prepare(request, by), end);
      } catch (error) {
        end(error);
        throw error;
      }
    },
    subscriptions: () => service.subscriptions(),
  };
}

/**
 * Wraps root fields of external executors. The hooks run around the check of the whole operation, not for each root
 * field.
 */
export function hookedRootFields(service: RootFieldService, api: HookedApi, hooks: OperationHooks): RootFieldService {
  return {
    check: (request, by) => withHooks(hooks, [api, request, by], () => service.check(request, by)),
    prepare: (request, by) => service.prepare(request, by),
  };
}

export function hookedRest(service: RestService, hooks: OperationHooks): RestService {
  return {
    ...service,
    async find(method, segments) {
      const match = await service.find(method, segments);
      if (match.kind !== "found") return match;
      return {
        ...match,
        run: (request, by, caller, headers) =>
          withHooks(hooks, ["rest", request, by], () => match.run(request, by, caller, headers)),
      };
    },
  };
}

/** Wraps tools for assistants. A rehearsal runs no hooks, because it changes nothing. */
export function hookedTools(service: AgentToolService, hooks: OperationHooks): AgentToolService {
  return {
    ...service,
    run: (tool, variables, by, caller, response) => {
      const request = { query: tool.tool.operation.text, operationName: null, variables };
      return withHooks(hooks, ["tool", request, by], () => service.run(tool, variables, by, caller, response));
    },
    query: (document, by, caller, response) =>
      withHooks(hooks, ["tool", document, by], () => service.query(document, by, caller, response)),
  };
}

/**
 * Calls `end` when a prepared operation has ended. A prepared operation runs at most once: not at all if its client has
 * disconnected.
 */
function ending(prepared: PreparedOperation, end: OperationEnd): PreparedOperation {
  const ended = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      end(error);
      throw error;
    }
  };
  if (prepared.kind !== "subscription") {
    return {
      ...prepared,
      async run(caller, headers) {
        const data = await ended(prepared.run(caller, headers));
        end();
        return data;
      },
    };
  }
  return {
    ...prepared,
    async subscribe(sink) {
      const subscription = await ended(prepared.subscribe(endingSink(sink, end)));
      return {
        stop() {
          end();
          subscription.stop();
        },
      };
    },
  };
}

function endingSink(sink: SubscriptionSink, end: OperationEnd): SubscriptionSink {
  return {
    next: (data, errors) => sink.next(data, errors),
    error: (error) => sink.error(error),
    complete() {
      end();
      sink.complete();
    },
    isBusy: () => sink.isBusy(),
    get aborted() {
      return sink.aborted ?? false;
    },
  };
}
