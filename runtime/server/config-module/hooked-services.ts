/** Services whose operations run between hooks. */
import type { GraphqlService, PreparedOperation, SubscriptionSink } from "../../ports/graphql.ts";
import { type HookedApi, hooked, type OperationEnd, type OperationHooks } from "../../ports/operation-hooks.ts";
import type { RestService } from "../../ports/rest.ts";
import type { RootFieldService } from "../../ports/root-fields.ts";

export function hookedGraphql(service: GraphqlService, api: HookedApi, hooks: OperationHooks): GraphqlService {
  return {
    execute: (request, by, caller, headers) =>
      hooked(hooks, [api, request, by], () => service.execute(request, by, caller, headers)),
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

/** Operations of other executors: the whole is begun by the check, and ended at once; its root fields are not told apart. */
export function hookedRootFields(service: RootFieldService, api: HookedApi, hooks: OperationHooks): RootFieldService {
  return {
    check: (request, by) => hooked(hooks, [api, request, by], () => service.check(request, by)),
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
          hooked(hooks, ["rest", request, by], () => match.run(request, by, caller, headers)),
      };
    },
  };
}

/** What is prepared is run once, or not at all where its client is gone. */
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
    next: (data) => sink.next(data),
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
