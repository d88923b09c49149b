import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { renderAsync } from '@resvg/resvg-js';

/** Pixels per CSS pixel: sharp on a dense screen and in print. */
export const PNG_SCALE = 2;

/**
 * Renders an SVG as PNG at twice its size. Fonts come from a package, so that a machine without fonts draws the
 * same picture.
 */
export async function curvePng(svg: string): Promise<Buffer> {
  const image = await renderAsync(svg, {
    fitTo: { mode: 'zoom', value: PNG_SCALE },
    font: { loadSystemFonts: false, fontFiles: fontFiles(), defaultFontFamily: 'DejaVu Sans' },
  });
  return image.asPng();
}

function fontFiles(): string[] {
  const folder = join(
    dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')),
    'ttf',
  );
  return ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((name) => join(folder, name));
}
