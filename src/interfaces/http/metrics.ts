import type { Clock } from '../../platform/clock.ts';

const BUCKETS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10_000];

interface Timing {
  readonly counts: number[];
  sumMs: number;
  count: number;
}

/** Metrics of the server for Prometheus, in its text format. */
export class Metrics {
  readonly #clock: Clock;
  readonly #startedMs: number;
  readonly #requests = new Map<string, number>();
  readonly #timings = new Map<string, Timing>();
  readonly #gauges = new Map<string, { readonly help: string; readonly read: () => number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedMs = clock.now();
  }

  /** A number that is looked up when somebody asks. */
  gauge(name: string, help: string, read: () => number): void {
    this.#gauges.set(name, { help, read });
  }

  /** `route` is a name of the table, never what a client sent: anybody could fill the memory with names. */
  count(route: string, status: number, tookMs: number): void {
    const key = `route="${route}",status="${status}"`;
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1);
    const timing = this.#timings.get(route) ?? { counts: BUCKETS_MS.map(() => 0), sumMs: 0, count: 0 };
    this.#timings.set(route, timing);
    for (const [at, limitMs] of BUCKETS_MS.entries())
      if (tookMs <= limitMs) timing.counts[at] = (timing.counts[at] ?? 0) + 1;
    timing.sumMs += tookMs;
    timing.count += 1;
  }

  render(version: string): string {
    const { rss, heapUsed } = process.memoryUsage();
    const cpu = process.cpuUsage();
    const lines = [
      ...header('mneme_info', 'gauge', 'The version that runs.'),
      `mneme_info{version="${version}"} 1`,
      ...header('mneme_uptime_seconds', 'gauge', 'Seconds since the server started.'),
      `mneme_uptime_seconds ${(this.#clock.now() - this.#startedMs) / 1000}`,
      ...header('mneme_resident_bytes', 'gauge', 'Memory of the process.'),
      `mneme_resident_bytes ${rss}`,
      ...header('mneme_cpu_seconds_total', 'counter', 'Processor time that the process has used.'),
      `mneme_cpu_seconds_total ${(cpu.user + cpu.system) / 1e6}`,
      ...header('mneme_heap_bytes', 'gauge', 'Memory in use by JavaScript.'),
      `mneme_heap_bytes ${heapUsed}`,
    ];
    for (const [name, { help, read }] of this.#gauges) lines.push(...header(name, 'gauge', help), `${name} ${read()}`);
    lines.push(...header('mneme_http_requests_total', 'counter', 'Requests by route and status.'));
    for (const [key, count] of this.#requests) lines.push(`mneme_http_requests_total{${key}} ${count}`);
    lines.push(...header('mneme_http_request_seconds', 'histogram', 'How long answers took.'));
    for (const [route, timing] of this.#timings) lines.push(...renderTiming(route, timing));
    return `${lines.join('\n')}\n`;
  }
}

function renderTiming(route: string, { counts, sumMs, count }: Timing): string[] {
  return [
    ...BUCKETS_MS.map(
      (limitMs, at) => `mneme_http_request_seconds_bucket{route="${route}",le="${limitMs / 1000}"} ${counts[at] ?? 0}`,
    ),
    `mneme_http_request_seconds_bucket{route="${route}",le="+Inf"} ${count}`,
    `mneme_http_request_seconds_sum{route="${route}"} ${sumMs / 1000}`,
    `mneme_http_request_seconds_count{route="${route}"} ${count}`,
  ];
}

export function header(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}
