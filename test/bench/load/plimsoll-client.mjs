// Plimsoll's own load: one producer in its load child, by a schedule that is out of reach.
import { runLoadChild } from './run-load-child.mjs';

const OUT_OF_REACH = 5_000_000;
const LONGEST_MS = 600_000;

/** @param settings librdkafka properties beside the address. */
export function plimsollClient(settings) {
  return {
    name: 'plimsoll',
    start: async (broker, size) => {
      const before = await broker.messages();
      const load = await runLoadChild(broker, {
        producers: 1,
        messageBytes: size,
        schedule: [{ durationMs: LONGEST_MS, unitRate: OUT_OF_REACH }],
        client: settings,
      });
      return {
        pid: load.pid,
        failure: load.report,
        stop: async () => {
          const { accepted, acked } = await load.stop(null);
          const grown = (await broker.messages()) - before;
          if (acked !== grown || acked !== accepted)
            throw new Error(`${accepted} accepted, ${acked} acknowledged, but the topic grew by ${grown}`);
        },
      };
    },
  };
}
