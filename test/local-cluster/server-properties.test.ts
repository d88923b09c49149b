import { describe, expect, it } from 'vitest';
import { CONTROLLER_ID, nodePlace } from '../../src/local-cluster/cluster-layout.ts';
import { brokerProperties, controllerProperties } from '../../src/local-cluster/server-properties.ts';

const read = (text: string): Map<string, string> =>
  new Map(
    text
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s, 2) as [string, string]),
  );

describe('server.properties', () => {
  const cases = [
    { brokerCount: 1, replicas: '1', reason: 'one broker cannot hold more' },
    { brokerCount: 2, replicas: '2', reason: 'as many as there are' },
    { brokerCount: 5, replicas: '3', reason: "Kafka's usual three" },
  ];
  for (const { brokerCount, replicas, reason } of cases) {
    it(`replicates internal topics ${replicas} times on ${brokerCount} brokers: ${reason}`, () => {
      const place = nodePlace('/d', 'broker', 1);
      const found = read(
        brokerProperties({
          place,
          port: 1,
          controllerId: CONTROLLER_ID,
          controllerPort: 2,
          brokerCount,
          replicaLagTimeMaxMs: 4_000,
          clients: null,
        }),
      );
      expect(found.get('offsets.topic.replication.factor')).toBe(replicas);
      expect(found.get('replica.lag.time.max.ms')).toBe('4000');
      const controller = nodePlace('/d', 'controller', CONTROLLER_ID);
      expect(read(controllerProperties(controller, 2, brokerCount)).get('default.replication.factor')).toBe(
        replicas,
      );
    });
  }

  it('listens on loopback only', () => {
    const broker = brokerProperties({
      place: nodePlace('/d', 'broker', 2),
      port: 20_001,
      controllerId: CONTROLLER_ID,
      controllerPort: 20_000,
      brokerCount: 3,
      replicaLagTimeMaxMs: 4_000,
      clients: null,
    });
    const controller = controllerProperties(nodePlace('/d', 'controller', CONTROLLER_ID), 20_000, 3);
    for (const text of [broker, controller]) {
      const addresses = [...text.matchAll(/(?:\/\/|@)([^:\n]*):\d+/g)].map((match) => match[1]);
      expect(addresses.length).toBeGreaterThan(1);
      expect(new Set(addresses)).toEqual(new Set(['127.0.0.1']));
    }
  });
});
