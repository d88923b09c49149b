import type { ApiRequest, PrometheusApi } from './prometheus-api.ts';
import type { FailedLook } from './signal-source.ts';

/** Clocks drift apart by some milliseconds a minute at most. */
const KEPT_MS = 60_000;

/** How far the clock of a Prometheus server is from the run's, asked anew once a minute. */
export class ServerClock {
  private readonly api: PrometheusApi;
  private offsetMs = 0;
  private askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(api: PrometheusApi) {
    this.api = api;
  }

  /** Asks when the answer is too old. @returns why there is none, when none has ever been had; else null. */
  async refresh(request: ApiRequest): Promise<FailedLook | null> {
    if (request.nowMs() - this.askedAtMs < KEPT_MS) return null;
    const answer = await this.api.time(request);
    if (answer.kind === 'failed') return Number.isFinite(this.askedAtMs) ? null : answer;
    this.offsetMs = answer.data - (answer.startMs + answer.endMs) / 2;
    this.askedAtMs = answer.endMs;
    return null;
  }

  /** From the server's clock to the run's, ms. */
  toRunMs(serverMs: number): number {
    return serverMs - this.offsetMs;
  }

  toServerMs(runMs: number): number {
    return runMs + this.offsetMs;
  }
}
