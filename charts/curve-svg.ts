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
    return withStableIds(chart.renderToSVGString(), size);
  } finally {
    chart.dispose();
  }
}

// ECharts numbers ids and classes by charts made in this process: two pictures in one page would share or change them.
function withStableIds(svg: string, size: PictureSize): string {
  return svg.replace(/\bzr\d+-/g, `curve${size.widthPx}-`);
}
