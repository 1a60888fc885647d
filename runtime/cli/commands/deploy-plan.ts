/** `engine deploy --plan`: what a deployment would change, on one page, before anything does. */
import { ConfigurationError } from "../../config/configuration-error.ts";
import { widening } from "../../control/access.ts";
import { reportingMistakes } from "../metadata/apply-metadata.ts";
import { type Baseline, projectBaseline, serverBaseline } from "../plan/baseline.ts";
import { makePlan } from "../plan/make-plan.ts";
import { planPage } from "../plan/plan-page.ts";
import { withServer } from "../project/client.ts";
import { printResult } from "../project/output.ts";
import { type GlobalFlags, readSettings } from "../project/settings.ts";

export interface PlanOptions extends GlobalFlags {
  /** Another version of the project, in place of the server. */
  readonly against?: string;
  readonly shadowUrl?: string;
  /** Exit with 3 when some role may do more, or may be able to. */
  readonly failOnWidening?: boolean;
}

const exitCodes = { done: 0, widens: 3 } as const;

/**
 * Resolves to the exit code: 1 when files are at fault or SQL fails on a scratch database.
 * @throws EngineError when files or the server cannot be read, or there is no scratch database to be had
 */
export async function planCommand(options: PlanOptions): Promise<number> {
  const { against, shadowUrl, failOnWidening = false } = options;
  return reportingMistakes(async () => {
    const settings = await readSettings(options, process.env);
    const plan = (baseline: Baseline) => makePlan(settings, baseline, shadowUrl);
    const made =
      against === undefined
        ? await withServer(settings, async (call, dump) => plan(await serverBaseline(call, dump, settings)))
        : await plan(await projectBaseline(against, await readSettings({ project: against }, {})));
    printResult(planPage(made));
    return failOnWidening && widening(made.access).length > 0 ? exitCodes.widens : exitCodes.done;
  });
}

/** @throws ConfigurationError for flags that only mean something for a plan */
export function refusePlanFlags({ against, shadowUrl, failOnWidening }: PlanOptions): void {
  const given = Object.entries({
    "--against": against,
    "--shadow-url": shadowUrl,
    "--fail-on-widening": failOnWidening,
  });
  const [flag] = given.filter(([, value]) => value !== undefined).map(([name]) => name);
  if (flag === undefined) return;
  throw new ConfigurationError([{ setting: flag, message: "is of --plan: give that, too" }]);
}
