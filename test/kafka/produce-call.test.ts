import { describe, expect, it } from 'vitest';
import { produceCall } from '../../src/kafka/produce-call.ts';
import { makeProducer, QUEUE_FULL, type RdProducer } from '../../src/kafka/rdkafka.ts';

const value = Buffer.from('value');

/** A producer whose native client is what a test wants it to be. */
function producerOn(native: unknown, produce: (...args: readonly unknown[]) => unknown = () => true) {
  return { getClient: () => native, produce } as unknown as RdProducer;
}

describe('produceCall', () => {
  it('hands a message to the native client and passes on its answer', () => {
    const calls: unknown[][] = [];
    const native = {
      produce(...args: unknown[]) {
        calls.push([this === native, ...args]);
        return QUEUE_FULL;
      },
    };
    const produce = produceCall(producerOn(native), 'topic', undefined);
    expect(produce(3, value, null, 1_700_000_000_000)).toBe(QUEUE_FULL);
    expect(calls).toEqual([[true, 'topic', 3, value, null, 1_700_000_000_000]]);
  });

  it('hands over headers behind an opaque that is undefined: any other leaks', () => {
    const calls: unknown[][] = [];
    const native = { produce: (...args: unknown[]) => calls.push(args) };
    const headers = [{ tenant: 'a' }];
    produceCall(producerOn(native), 'topic', headers)(0, value, null, 1);
    expect(calls).toEqual([['topic', 0, value, null, 1, undefined, headers]]);
  });

  it.each<[object | undefined, string]>([
    [{}, 'a client without produce'],
    [undefined, 'no client'],
  ])('goes through produce() with %j (%s), and answers its exceptions', (native) => {
    const refuse = () => {
      throw Object.assign(new Error('Local: Queue full'), { code: QUEUE_FULL });
    };
    expect(produceCall(producerOn(native), 'topic', undefined)(0, value, null, 1)).toBe(0);
    expect(produceCall(producerOn(native, refuse), 'topic', undefined)(0, value, null, 1)).toBe(QUEUE_FULL);
    const fail = () => {
      throw new Error('Producer not connected');
    };
    expect(produceCall(producerOn(native, fail), 'topic', undefined)(0, value, null, 1)).toBe(-196);
  });

  it('finds the native client of the node-rdkafka that is installed', () => {
    const native = makeProducer({}).getClient() as { readonly produce?: unknown };
    expect(native.produce).toBeTypeOf('function');
  });
});
