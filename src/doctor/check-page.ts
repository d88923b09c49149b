import { formatBytes } from '../../boundary/units.ts';
import { messageOf, PlimsollError } from '../errors.ts';
import { type PageResolution, resolveSeries } from '../signals/resolve-series.ts';
import { type ScrapedPage, scrapePage } from '../signals/scrape.ts';
import { SIGNAL_SERIES } from '../signals/series-table.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';

/** Above this a page is expensive enough for looking at the brokers to become part of their load, ms. */
const SLOW_SCRAPE_MS = 200;

export interface PageFindings {
  readonly checks: readonly CheckResult[];
  /** null when the page does not answer. */
  readonly page: ScrapedPage | null;
  readonly resolution: PageResolution | null;
}

/** Checks that a metrics page answers, what of it would be used, and what one look costs. */
export async function checkPage(url: string, timeoutMs: number): Promise<PageFindings> {
  const place = new URL(url).host;
  const name = `page ${place}`;
  // The first scrape also connects and warms the exporter up; the second one is what a run would pay.
  const first = await scrapePage(url, { timeoutMs });
  const page = first.kind === 'page' ? await scrapePage(url, { timeoutMs }) : first;
  if (page.kind === 'failed') {
    const fix =
      'check the URL (mostly http://HOST:PORT/metrics) and that the JMX exporter runs in the broker';
    return { checks: [fail(name, `${url}: ${page.reason}`, fix)], page: null, resolution: null };
  }
  try {
    const resolution = resolveSeries(page.text, url);
    const { brokerId, kafkaVersion } = resolution.identity;
    const who = brokerId === null ? 'does not name its broker' : `broker ${brokerId}`;
    const version = kafkaVersion === null ? '' : `, Kafka ${kafkaVersion}`;
    const found = ok(name, `${who}${version}; idle from ${resolution.idleCount.series}`);
    return {
      checks: [found, checkCost(`scrape ${place}`, page), ...checkGaps(name, resolution)],
      page,
      resolution,
    };
  } catch (error) {
    const fix = error instanceof PlimsollError ? fixOf(error) : 'report this as a bug';
    return { checks: [fail(name, messageOf(error), fix)], page, resolution: null };
  }
}

/** One line for each signal: which series it is read from and how that is known. */
export function explainPage(resolution: PageResolution): readonly CheckResult[] {
  return resolution.explanations.map(({ signal, isFound, text }) => {
    const [title = signal, found = text] = splitOnce(text, ': ');
    if (isFound) return ok(title, found);
    return warn(
      title,
      found,
      `add the bean ${SIGNAL_SERIES[signal].bean ?? 'java.lang:type=OperatingSystem'}`,
    );
  });
}

function checkCost(name: string, page: ScrapedPage): CheckResult {
  const cost = `one scrape takes ${page.scrapeMs.toFixed(0)} ms, ${formatBytes(Buffer.byteLength(page.text))}`;
  if (page.scrapeMs <= SLOW_SCRAPE_MS) return ok(name, cost);
  return warn(
    name,
    `${cost}; over ${SLOW_SCRAPE_MS} ms the polling is part of the broker's load`,
    'limit the exporter with includeObjectNames (deploy/local/jmx-exporter.yaml shows the beans), or raise trial.pollIntervalMs',
  );
}

/** Signals that a verdict can do without, but is poorer for. */
function checkGaps(name: string, resolution: PageResolution): readonly CheckResult[] {
  const missing = (['underReplicatedPartitions', 'isrShrinks', 'isrExpands', 'bytesIn'] as const).filter(
    (signal) => !resolution.chosen.has(signal),
  );
  if (missing.length === 0) return [];
  const beans = missing.map((signal) => SIGNAL_SERIES[signal].bean).join(', ');
  const titles = missing.map((signal) => SIGNAL_SERIES[signal].title).join(', ');
  return [warn(name, `without ${titles}`, `add to the exporter's rules: ${beans}`)];
}

function fixOf(error: PlimsollError): string {
  return error.code === 'METRICS_MISMATCH'
    ? "give each broker's own metrics page"
    : "change the exporter's rules; deploy/local/jmx-exporter.yaml is an example";
}

function splitOnce(text: string, mark: string): [string, string] | [] {
  const at = text.indexOf(mark);
  return at < 0 ? [] : [text.slice(0, at), text.slice(at + mark.length)];
}
