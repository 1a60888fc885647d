// `node worker.mjs DATABASE_URL URL default|tuned`: posts the payload of each job, as the engine posts events.
import { run } from "graphile-worker";
import { Agent, request } from "undici";

const [connectionString, url, settings] = process.argv.slice(2);
const dispatcher = new Agent({ connections: 100 });

/** The local queue takes jobs in batches, and their completion is written in batches. */
const tuned = { localQueue: { size: 500 }, completeJobBatchDelay: 5, failJobBatchDelay: 5 };

const runner = await run({
  connectionString,
  concurrency: 100,
  noHandleSignals: true,
  preset: { worker: { maxPoolSize: 10, ...(settings === "tuned" && tuned) } },
  taskList: {
    async post(payload) {
      const { statusCode, body } = await request(url, {
        dispatcher,
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(payload),
      });
      await body.text();
      if (statusCode !== 200) throw new Error(`status ${statusCode}`);
    },
  },
});
process.send?.("runs");
process.once("message", () => void runner.stop().then(() => process.exit()));
await runner.promise;
