import { describe, expect, it } from 'vitest';
import { curveSvg } from '../../charts/curve-svg.ts';
import { NARROW_PICTURE, WIDE_PICTURE } from '../../charts/picture-size.ts';
import { bound, estimatedPoint, point, sampleDocument } from './sample-document.ts';

const texts = (svg: string): string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((match) => (match[1] ?? '').trim());

/** Where each drawn text that matches starts, px from the left. */
function textPlaces(svg: string, wanted: RegExp): number[] {
  return [...svg.matchAll(/<text([^>]*)>([^<]*)<\/text>/g)]
    .filter((match) => wanted.test(match[2] ?? ''))
    .map((match) => {
      const place = /matrix\((?:[-\d.e]+,){4}([-\d.]+)|translate\(([-\d.]+)/.exec(match[1] ?? '');
      return Number(place?.[1] ?? place?.[2]);
    });
}

describe('curveSvg', () => {
  it('labels every point with messages per second and MB/s, and the axis with the sizes', () => {
    const shown = texts(curveSvg(sampleDocument()));
    for (const label of ['10,700/s', '1.07 MB/s', '4,000/s', '4.00 MB/s', '2,000/s', '20.0 MB/s']) {
      expect(shown).toContain(label);
    }
    for (const size of ['100 B', '1 kB', '10 kB']) expect(shown).toContain(size);
    expect(shown.join(' ')).toContain('What this cluster sustains');
    expect(shown.join(' ')).toContain('run-20260301-1405 · 3 brokers · Kafka 4.4.0 · 2026-03-01 14:05 UTC');
  });

  it('says in words what is not converged', () => {
    const shown = texts(
      curveSvg(
        sampleDocument([
          point(100, 10_700, null, 'at least'),
          point(10_000, null, 4_230, 'at most'),
          point(1_000_000, 250, 400, 'wide'),
        ]),
      ),
    );
    for (const word of ['at least', 'at most', 'wide', 'below 4,230/s']) expect(shown).toContain(word);
  });

  it('explains the tint only where there is one', () => {
    const tint = 'the cluster sustains these loads';
    expect(texts(curveSvg(sampleDocument()))).toContain(tint);
    expect(texts(curveSvg(sampleDocument([point(1_000, 4_000, 4_230)])))).not.toContain(tint);
    expect(texts(curveSvg(sampleDocument([]))).join(' ')).toContain('no bound found');
  });

  describe('of a search with intervals', () => {
    const points = [
      estimatedPoint(1_000, 1_578, 0.0646, { lower: bound(999), upper: bound(1_800) }),
      estimatedPoint(4_000, 1_500),
      estimatedPoint(16_000, 1_317, 0.9, { quality: 'wide' }),
    ];

    it('labels each estimate with its margin, or with the ends where the margin says nothing', () => {
      const shown = texts(curveSvg(sampleDocument(points)));
      expect(shown).toEqual(expect.arrayContaining(['1,578/s ± 6.5 %', '1.58 MB/s', '1,500/s ± 4.0 %']));
      expect(shown).toContain('535..3,239/s');
      expect(shown.join(' ')).toContain("Where this cluster's limit lies".replace("'", '&#39;'));
    });

    it('puts the margin below its rate on a narrow picture', () => {
      const shown = texts(curveSvg(sampleDocument(points), NARROW_PICTURE));
      expect(shown[shown.indexOf('1,578/s') + 1]).toBe('± 6.5 %');
    });

    it('draws a band between neighbours that both have an interval, and says in words what is what', () => {
      const bands = (given: typeof points) =>
        curveSvg(sampleDocument(given)).match(/<polygon[^>]*fill="#b5d3ec"/g)?.length ?? 0;
      expect(bands(points)).toBe(2);
      expect(
        bands([estimatedPoint(1_000, 1_578), point(4_000, 900, 1_000), estimatedPoint(16_000, 900)]),
      ).toBe(0);
      const shown = texts(curveSvg(sampleDocument(points)));
      for (const words of [
        'estimate of the limit',
        '95 % interval of the limit',
        'wide: known less well than asked for',
      ]) {
        expect(shown).toContain(words);
      }
      expect(shown.join(' ')).not.toContain('lower bound:');
    });

    it('shows bounds as a range where a size has no interval among others that have', () => {
      const mixed = [estimatedPoint(1_000, 1_578), point(4_000, 900, 1_000, 'wide')];
      expect(texts(curveSvg(sampleDocument(mixed)))).toContain('900..1,000/s');
    });
  });

  it('says first in the subtitle that a cluster is simulated', () => {
    const simulated = { ...sampleDocument(), environment: { simulated: 'small.yaml' } };
    for (const size of [WIDE_PICTURE, NARROW_PICTURE]) {
      expect(texts(curveSvg(simulated, size))).toContain('Simulated cluster: no broker was measured.');
    }
    expect(texts(curveSvg(sampleDocument())).join(' ')).not.toContain('Simulated');
  });

  const OTHER: [reason: string, points: Parameters<typeof sampleDocument>[0]][] = [
    ['no point', []],
    ['one point', [point(1_000, 4_000, 4_230)]],
    ['a point without any bound', [point(1_000, null, null, 'unstable')]],
    ['a lower bound of zero', [point(1_000, 0, 10, 'wide')]],
    ['extremes', [point(1, 25e6, 26e6), point(10_000_000, 0.5, 0.6)]],
    ['an interval down to nothing', [{ ...estimatedPoint(1_000, 50), interval: { low: 0, high: 90 } }]],
    ['one estimate', [estimatedPoint(1_000, 4_000)]],
    ['an estimate without bounds', [estimatedPoint(1_000, 4_000, 0.3, { lower: null, upper: null })]],
    ['two sizes close together', [point(1_000, 4_000, 4_230), point(1_024, 3_900, 4_200)]],
  ];
  it.each(OTHER)('draws %s without broken coordinates', (_reason, points) => {
    for (const size of [WIDE_PICTURE, NARROW_PICTURE]) {
      const svg = curveSvg(sampleDocument(points), size);
      expect(svg).not.toMatch(/NaN|Infinity|undefined/);
      expect(svg).toContain(`width="${size.widthPx}"`);
    }
  });

  it('gives a label to each of ten points and keeps it within the picture', () => {
    const points = Array.from({ length: 10 }, (_, index) => {
      const messageBytes = 10 ** (1 + index * 0.5);
      const rate = 1 / (1 / 2e6 + messageBytes / 2e8);
      return point(messageBytes, rate, rate * 1.06);
    });
    for (const size of [WIDE_PICTURE, NARROW_PICTURE]) {
      const places = textPlaces(curveSvg(sampleDocument(points), size), /^[\d.,]+[kM]?\/s/);
      expect(places).toHaveLength(10);
      for (const x of places) {
        expect(x).toBeGreaterThan(0);
        expect(x).toBeLessThan(size.widthPx);
      }
    }
  });

  it('draws the same text for the same document, whatever was drawn before', () => {
    const first = curveSvg(sampleDocument());
    curveSvg(sampleDocument([]));
    expect(curveSvg(sampleDocument())).toBe(first);
  });

  it('escapes hostile names', () => {
    const document = sampleDocument();
    const svg = curveSvg({ ...document, run: { ...document.run, runId: '<script>alert(1)</script>' } });
    expect(svg).not.toContain('<script');
  });
});

describe('labels of the lines of equal throughput', () => {
  it('stand where no label of a point does', () => {
    const points = [100, 10_000, 1_000_000].map((messageBytes) =>
      estimatedPoint(messageBytes, 1 / (1 / 400_000 + messageBytes / 1e8), 0.07, { quality: 'wide' }),
    );
    const shown = texts(curveSvg(sampleDocument(points), NARROW_PICTURE));
    expect(shown, 'covered by the label of 1 MB on its whole way').not.toContain('1 GB/s');
    expect(shown).toContain('1 MB/s');
    expect(texts(curveSvg(sampleDocument(points)))).toContain('1 GB/s');
  });
});
