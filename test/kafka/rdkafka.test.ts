import { describe, expect, it } from 'vitest';
import { connectKafka } from '../../src/kafka/kafka-connection.ts';
import {
  errorName,
  failureOf,
  librdkafkaFeatures,
  librdkafkaVersion,
  makeProducer,
  requireProducerSettings,
  splitProperties,
} from '../../src/kafka/rdkafka.ts';

describe('splitProperties', () => {
  it('moves topic properties to where node-rdkafka keeps them', () => {
    expect(splitProperties({ acks: 1, 'linger.ms': 5, 'message.timeout.ms': 9 })).toEqual({
      global: { 'linger.ms': 5 },
      topic: { acks: 1, 'message.timeout.ms': 9 },
    });
  });
});

describe('makeProducer', () => {
  it('rejects a misspelt property with its name', () => {
    expect(() => makeProducer({ 'linger.msec': 5 })).toThrow(/librdkafka rejects.*linger\.msec/);
  });

  it('rejects a topic property with a bad value, so that it cannot be lost on the way', () => {
    expect(() => makeProducer({ acks: 7_000 })).toThrow(/librdkafka rejects.*acks/);
  });
});

describe('requireProducerSettings', () => {
  it('says what librdkafka has against settings that only fail together', async () => {
    const client = { 'bootstrap.servers': '127.0.0.1:1', acks: 1, 'enable.idempotence': true };
    await expect(requireProducerSettings(client, 1_000)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/acks.*enable\.idempotence.*correct them/),
    });
  });
});

describe('transactions', () => {
  it('are refused: a transactional id of all producers would let one of them live', async () => {
    const client = { 'bootstrap.servers': '127.0.0.1:1', 'transactional.id': 'a' };
    await expect(requireProducerSettings(client, 1_000)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/transactional\.id.*leave it out/),
    });
  });
});

describe('connectKafka', () => {
  it('says in one line that no broker answers, and where', async () => {
    const attempt = connectKafka({ 'bootstrap.servers': '127.0.0.1:1' }, 1_000);
    await expect(attempt).rejects.toMatchObject({
      code: 'BROKER_UNREACHABLE',
      message: expect.stringMatching(
        /^no broker answers at 127\.0\.0\.1:1: is it running, is the address right\? \(timeout 1 s; .*refused\)$/,
      ),
    });
  });
});

describe('failureOf', () => {
  it.each([
    [
      '[thrd:ssl://h:1/bootstrap]: ssl://h:1/bootstrap: SSL handshake failed: no (after 1ms in state SSL_HANDSHAKE)',
      'SSL handshake failed: no',
    ],
    [
      '[thrd:h:1/bootstrap]: h:1/bootstrap: Connect failed: refused (after 0ms in state CONNECT, 1 identical error(s) suppressed)',
      'Connect failed: refused',
    ],
    ['sasl_ssl://h:1/2: SASL authentication error: wrong', 'SASL authentication error: wrong'],
    ['anything else', 'anything else'],
  ])('takes the reason out of: %s', (line, reason) => {
    expect(failureOf(line)).toBe(reason);
  });
});

describe('the build of librdkafka', () => {
  it('is named', () => {
    expect(librdkafkaVersion).toMatch(/^\d+\.\d+\.\d+/);
    expect(librdkafkaFeatures).toContain('lz4');
  });
});

describe('errorName', () => {
  it.each([
    [-190, 'ERR__UNKNOWN_PARTITION'],
    [-4_711, 'error -4711'],
  ])('calls %i %s', (code, name) => {
    expect(errorName(code)).toBe(name);
  });
});
