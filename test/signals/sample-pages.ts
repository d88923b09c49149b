import { readFileSync } from 'node:fs';
import { PlimsollError } from '../../src/errors.ts';
import { type Exposition, parseExposition } from '../../src/signals/exposition.ts';
import { isTellingName } from '../../src/signals/series-name.ts';
import type { Snapshot } from '../../src/signals/signal-source.ts';

export const PLACE = 'http://broker:7071/metrics';
export const POOL = 'kafka_server_kafkarequesthandlerpool';
export const BARE = `${POOL}_requesthandleravgidlepercent`;
export const REPLICAS = 'kafka_server_replicamanager_underreplicatedpartitions 0\n';

/** Text of a file under test/fixtures/pages. */
export function sampleText(name: string): string {
  return readFileSync(new URL(`../fixtures/pages/${name}`, import.meta.url), 'utf8');
}

/** As a first look brings it; throws when the text is no page. */
export function pageOf(text: string): Exposition {
  const page = parseExposition(text, isTellingName);
  if (page.kind === 'parsed') return page;
  throw new Error(`line ${page.line} is ${page.kind}`);
}

export function samplePage(name: string): Exposition {
  return pageOf(sampleText(name));
}

export function snapshotOf(text: string, atMs: number, scrapeMs = 0): Snapshot {
  return { series: pageOf(text), atMs, scrapeMs, serverDateMs: null };
}

/** Code and message of the error that must come. */
export function refusalOf(act: () => unknown): Pick<PlimsollError, 'code' | 'message'> {
  try {
    act();
  } catch (error) {
    if (error instanceof PlimsollError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('it was accepted');
}
