import type { EChartsOption } from 'echarts';
import type { RunDocument } from '../boundary/run-document.ts';
import { formatBytes } from '../boundary/units.ts';
import { type CurveFrame, curveFrame, HEAD_LINE_PX } from './curve-frame.ts';
import { CURVE_FONT, keyEntries, keyGraphic, keyRows } from './curve-key.ts';
import { curveSeries } from './curve-series.ts';
import { formatInstant, formatShort } from './number-text.ts';
import { LIGHT_PALETTE as colour } from './palette.ts';
import type { PictureSize } from './picture-size.ts';
import { bySize } from './point-figures.ts';
import { deliveryOnlyMark } from './signals-text.ts';
import { isSimulated, kafkaFacts, SIMULATED_SENTENCE } from './simulated-text.ts';

export const CURVE_TITLE = 'What this cluster sustains: messages per second by message size';
/** The line is the estimate then, and a title that promises a sustained load would mislead. */
export const ESTIMATE_TITLE = "Where this cluster's limit lies: messages per second by message size";
/** The cluster may not stand what it delivers: the title is what is read when a picture is passed on. */
export const DELIVERY_TITLE = 'What was delivered, brokers not looked at: messages/s by message size';

/**
 * Builds the ECharts option of the boundary curve: bytes per message by messages per second, both axes logarithmic.
 * Coordinates in the series are log10 of the values: value axes in decades place ticks at any measured size, which
 * ECharts' own log axes do not.
 */
export function curveOption(document: RunDocument, size: PictureSize): EChartsOption {
  const points = bySize(document.points);
  const key = keyEntries(points);
  const frame = curveFrame(points, size, keyRows(key, size.widthPx < 600), isSimulated(document) ? 1 : 0);
  return {
    animation: false,
    backgroundColor: colour.background,
    textStyle: { fontFamily: CURVE_FONT },
    title: title(document, frame),
    grid: frame.grid,
    ...axes(frame),
    graphic: keyGraphic(key, size, frame.grid.left),
    series: curveSeries(points, frame),
  };
}

function axes(frame: CurveFrame): Pick<EChartsOption, 'xAxis' | 'yAxis'> {
  const { window, isNarrow } = frame;
  const sizes = frame.sizeTicks.map(Math.log10);
  const rates = rateTicks(window.minRate, window.maxRate).map(Math.log10);
  const axis = {
    type: 'value' as const,
    axisLine: { show: true, onZero: false, lineStyle: { color: colour.muted } },
    splitLine: { show: false },
    nameLocation: 'middle' as const,
    nameTextStyle: { color: colour.ink, fontSize: isNarrow ? 12 : 13 },
  };
  const tick = { show: true, lineStyle: { color: colour.muted } };
  const label = { color: colour.ink, fontSize: isNarrow ? 11 : 12 };
  return {
    xAxis: {
      ...axis,
      min: Math.log10(window.minBytes),
      max: Math.log10(window.maxBytes),
      name: 'bytes per message (log scale)',
      nameGap: 30,
      axisTick: { ...tick, customValues: sizes },
      axisLabel: { ...label, customValues: sizes, formatter: (value: number) => formatBytes(unlog(value)) },
    },
    yAxis: {
      ...axis,
      min: Math.log10(window.minRate),
      max: Math.log10(window.maxRate),
      name: 'messages per second (log scale)',
      nameGap: isNarrow ? 42 : 56,
      axisTick: { ...tick, customValues: rates },
      axisLabel: { ...label, customValues: rates, formatter: (value: number) => formatShort(unlog(value)) },
    },
  };
}

function title(document: RunDocument, frame: CurveFrame): NonNullable<EChartsOption['title']> {
  const { run, cluster } = document;
  const brokers = cluster.brokerIds.length;
  const mark = deliveryOnlyMark(document);
  const facts = [
    run.runId,
    `${brokers} broker${brokers === 1 ? '' : 's'}`,
    ...kafkaFacts(document),
    formatInstant(run.startedAtMs),
    ...(document.points.some((point) => point.lower ?? point.upper) ? [] : ['no bound found']),
    ...(mark === null ? [] : [mark]),
    ...(run.status === 'finished' ? [] : [`run ${run.status}`]),
  ];
  // ECharts measures without a font and too small: three quarters of the room break lines where they must break
  const text = { width: (frame.size.widthPx - 24) * 0.76, overflow: 'break' as const };
  return {
    text: mark !== null ? DELIVERY_TITLE : frame.isEstimated ? ESTIMATE_TITLE : CURVE_TITLE,
    subtext: [...(isSimulated(document) ? [SIMULATED_SENTENCE] : []), facts.join(' · ')].join('\n'),
    left: frame.isNarrow ? 9 : 16,
    top: 8,
    itemGap: 6,
    textStyle: {
      ...text,
      color: colour.ink,
      fontSize: frame.isNarrow ? 14 : 19,
      lineHeight: frame.isNarrow ? 20 : 26,
    },
    subtextStyle: {
      ...text,
      color: colour.muted,
      fontSize: frame.isNarrow ? 11 : 13,
      lineHeight: HEAD_LINE_PX,
    },
  };
}

/** Ticks at 1, 10, 100 ...; also at 2 and 5 of each decade when the window holds little more than two decades. */
function rateTicks(minRate: number, maxRate: number): number[] {
  const steps = Math.log10(maxRate / minRate) < 2.5 ? [1, 2, 5] : [1];
  const ticks: number[] = [];
  for (let decade = Math.floor(Math.log10(minRate)); decade <= Math.log10(maxRate); decade += 1) {
    ticks.push(
      ...steps.map((step) => step * 10 ** decade).filter((rate) => rate >= minRate && rate <= maxRate),
    );
  }
  return ticks;
}

// 10 ** log10(4096) is 4095.9999...
function unlog(value: number): number {
  return Number((10 ** value).toPrecision(9));
}
