import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import { findFreePorts } from '../../../src/process/free-ports.ts';
import { spawnGuarded } from '../../../src/process/guarded-child.ts';
import { waitUntil } from '../../../src/process/wait-until.ts';

export interface PrometheusServer {
  /** With the path before /api/v1. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface ScrapeJob {
  readonly name: string;
  /** host:port of each page; its path is /metrics. */
  readonly targets: readonly string[];
  readonly intervalSeconds: number;
}

/** Starts a real Prometheus server (Debian's package) on loopback that scrapes these targets. */
export async function startPrometheus(jobs: readonly ScrapeJob[]): Promise<PrometheusServer> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-prometheus-'));
  const configFile = join(folder, 'prometheus.yml');
  writeFileSync(configFile, configOf(jobs));
  const [port] = await findFreePorts(1);
  const url = `http://127.0.0.1:${port}/prometheus`;
  const logFile = join(folder, 'log');
  const child = await spawnGuarded({
    command: 'prometheus',
    args: [
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      `--web.external-url=${url}`,
    ],
    logFile,
  });
  const stop = async () => {
    await child.stop(5_000);
    rmSync(folder, { recursive: true, force: true });
  };
  const isReady = async () => {
    if (child.hasExited()) throw new Error(`prometheus ended: ${readFileSync(logFile, 'utf8').slice(-500)}`);
    const answer = await axios
      .get(`${url}/-/ready`, { proxy: false, validateStatus: () => true })
      .catch(() => null);
    return answer?.status === 200;
  };
  try {
    if (!(await waitUntil(isReady, 30_000))) throw new Error('prometheus does not become ready');
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

function configOf(jobs: readonly ScrapeJob[]): string {
  const scrapes = jobs.map(({ name, targets, intervalSeconds }) => ({
    job_name: name,
    scrape_interval: `${intervalSeconds}s`,
    scrape_timeout: `${intervalSeconds}s`,
    static_configs: [{ targets }],
  }));
  // JSON is YAML.
  return JSON.stringify({ scrape_configs: scrapes });
}
