import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { maskedConfig } from '../../src/config/masked-config.ts';

const masked = (flags: Record<string, unknown>) =>
  maskedConfig(loadConfig({ env: {}, flags, folder: '/nowhere' }));

describe('maskedConfig', () => {
  it.each([
    { why: 'SASL password', flags: { client: ['sasl.password=hush'] } },
    { why: 'key password', flags: { client: ['ssl.key.password=hush'] } },
    { why: 'private key in the text', flags: { client: ['ssl.key.pem=hush'] } },
    { why: 'OAuth client secret', flags: { client: ['sasl.oauthbearer.client.secret=hush'] } },
    { why: 'Redis password', flags: { redis: 'redis://:hush@localhost:6379/0' } },
    { why: 'Redis user and password', flags: { redis: 'rediss://me:hush@localhost' } },
    {
      why: 'basic auth of a metrics page in a list',
      flags: { metrics: 'http://me:hush@a:1/m,http://b:1/m' },
    },
    { why: 'basic auth of a metrics page by broker', flags: { metrics: '1=https://me:hush@a:1/m' } },
    { why: 'a token in a metrics URL', flags: { metrics: '1=https://a:1/m?access_token=hush&x=1' } },
    { why: 'a password with @ in it', flags: { redis: 'redis://:a@hush@localhost' } },
    { why: 'password of the metrics', flags: { signalsUser: 'me', signalsPassword: 'hush' } },
    { why: 'bearer token of the metrics', flags: { signalsBearerToken: 'hush' } },
    { why: 'an authorization header', flags: { signalsHeader: ['Authorization=Negotiate hush'] } },
    { why: 'a header with a key', flags: { signalsHeader: ['X-Api-Key=hush'] } },
    { why: 'a header of the messages', flags: { header: ['X-Api-Key=hush'] } },
    { why: 'basic auth of the proxy', flags: { signalsProxy: 'http://me:hush@proxy:3128' } },
    { why: 'a producer property that is a secret', flags: { producer: ['sasl.password=hush'] } },
  ])('hides $why', ({ flags }) => {
    const text = JSON.stringify(masked(flags));
    expect(text).not.toContain('hush');
    expect(text).toContain('***');
  });

  it('shows all the rest as it is', () => {
    const flags = {
      bootstrap: 'a:1',
      client: ['security.protocol=ssl', 'sasl.username=me'],
      redis: 'redis://a:1',
      signals: 'prometheus',
      metrics: 'http://prom:9090',
      signalsSelector: 'job="kafka"',
      signalsHeader: ['X-Scope-OrgID=team1'],
    };
    const config = loadConfig({ env: {}, flags, folder: '/nowhere' });
    expect(maskedConfig(config)).toEqual(config);
  });
});
