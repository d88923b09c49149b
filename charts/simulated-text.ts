import type { RunDocument } from '../boundary/run-document.ts';

/** Said first wherever the result of a simulated cluster is shown: such figures must not pass for measured ones. */
export const SIMULATED_SENTENCE = 'Simulated cluster: no broker was measured.';

/** Whether the run was answered by the simulator; its environment then names the file. */
export function isSimulated({ environment }: Pick<RunDocument, 'environment'>): boolean {
  return environment.simulated !== undefined;
}

/** The version of Kafka for lines of facts; a simulated cluster has none. */
export function kafkaFacts(document: Pick<RunDocument, 'environment' | 'cluster'>): string[] {
  if (isSimulated(document)) return [];
  const { kafkaVersion } = document.cluster;
  return [kafkaVersion === null ? 'Kafka version not known' : `Kafka ${kafkaVersion}`];
}
