import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { curvePng } from '../../charts/curve-png.ts';
import { curveSvg } from '../../charts/curve-svg.ts';
import { sampleDocument } from './sample-document.ts';

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly at: (x: number, y: number) => readonly [red: number, green: number, blue: number];
}

/** Decodes an 8-bit RGBA PNG by the specification (RFC 2083), without the library that wrote it. */
function decodePng(png: Buffer): Pixels {
  expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  expect([png[24], png[25]]).toEqual([8, 6]);
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * 4;
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let i = 0; i < stride; i += 1) {
      const value = raw[y * (stride + 1) + 1 + i] ?? 0;
      const left = i >= 4 ? (out[y * stride + i - 4] ?? 0) : 0;
      const up = y > 0 ? (out[(y - 1) * stride + i] ?? 0) : 0;
      const corner = y > 0 && i >= 4 ? (out[(y - 1) * stride + i - 4] ?? 0) : 0;
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      out[y * stride + i] = (value + predicted) & 255;
    }
  }
  const channel = (x: number, y: number, index: number) => out[y * stride + x * 4 + index] ?? 0;
  return { width, height, at: (x, y) => [channel(x, y, 0), channel(x, y, 1), channel(x, y, 2)] };
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** The line's colour, #0b62a8. */
const isLine = ([red, green, blue]: readonly number[]): boolean =>
  red === 0x0b && green === 0x62 && blue === 0xa8;

describe('curvePng', () => {
  it('is twice the size, holds the line from the first size to the last, and letters', async () => {
    const pixels = decodePng(await curvePng(curveSvg(sampleDocument())));
    expect([pixels.width, pixels.height]).toEqual([1_920, 1_240]);

    const heights: number[] = [];
    for (let x = 420; x < 1_600; x += 20) {
      for (let y = 180; y < 1_060; y += 1) {
        if (isLine(pixels.at(x, y))) {
          heights.push(y);
          break;
        }
      }
    }
    expect(heights).toHaveLength(59);
    // it falls, larger messages, fewer of them; five samples apart, since a marker is higher than the line
    for (let index = 5; index < heights.length; index += 1) {
      expect(heights[index]).toBeGreaterThan(heights[index - 5] ?? 0);
    }

    let inked = 0;
    for (let y = 24; y < 80; y += 1)
      for (let x = 40; x < 1_460; x += 1) if (pixels.at(x, y)[0] < 100) inked += 1;
    expect(inked, 'the title is drawn with the packaged font').toBeGreaterThan(5_000);
  });
});
