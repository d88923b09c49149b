import * as echarts from 'echarts';
import type { RunDocument } from '../boundary/run-document.ts';
import { curveOption } from './curve-option.ts';
import { type PictureSize, WIDE_PICTURE } from './picture-size.ts';

/**
 * Renders the boundary curve as a standalone SVG document (no DOM needed; nothing is fetched).
 * The same document and size always give the same text.
 */
export function curveSvg(document: RunDocument, size: PictureSize = WIDE_PICTURE): string {
  const chart = echarts.init(null, null, {
    renderer: 'svg',
    ssr: true,
    width: size.widthPx,
    height: size.heightPx,
  });
  try {
    chart.setOption(curveOption(document, size));
    return settled(chart.renderToSVGString(), size);
  } finally {
    chart.dispose();
  }
}

// ECharts numbers ids and hover classes by what this process has drawn before: two pictures in one page would share
// ids, and the same document would give another text. Hover styles and data marks serve no one in a still picture.
function settled(svg: string, size: PictureSize): string {
  return svg
    .replace(/<style[^>]*><!\[CDATA\[.*?\]\]>\s*<\/style>\s*/s, '')
    .replace(/ (?:class="zr\d+-cls-\d+"|ecmeta_\w+="[^"]*")/g, '')
    .replace(/\bzr\d+-/g, `curve${size.widthPx}-`);
}
