import { describe, expect, it } from 'vitest';
import { requireCluster } from '../../src/config/require-cluster.ts';

describe('requireCluster', () => {
  it.each([
    {
      why: 'neither',
      config: { bootstrap: [], metrics: {} },
      says: /^no cluster: .+\nno metrics pages: .+$/,
    },
    {
      why: 'no cluster',
      config: { bootstrap: [], metrics: { 1: 'http://a' } },
      says: /^no cluster: [^\n]+$/,
    },
    {
      why: 'an empty list of pages',
      config: { bootstrap: ['a:1'], metrics: [] },
      says: /^no metrics pages: [^\n]+$/,
    },
  ])('refuses $why', ({ config, says }) => {
    expect(() => requireCluster(config)).toThrow(says);
  });

  it('is content with a cluster and its pages', () => {
    requireCluster({ bootstrap: ['a:1'], metrics: ['http://a'] });
  });
});
