import type { WriterGate } from '../../operations/writer-gate.ts';
import { errorMessage, isMnemeError, MnemeError } from '../../model/errors.ts';
import type { WritePermit } from '../../workspace/door/request.ts';
import type { PostgresServer } from '../../search-index/postgres/server.ts';

/** Long enough that a busy machine renews in time, short enough that a dead one is soon replaced. */
const LEASE_MS = 30_000;
/** No write begins with less left than this. */
const LEAST_LEFT_MS = 10_000;
/** Prepared changes reach the WAL well within this. */
const LEAST_LEFT_AT_DOOR_MS = 2000;

export interface LeaseParts {
  readonly server: () => PostgresServer;
  readonly device: string;
  /** In milliseconds, also those that passed while the machine slept; never put back. */
  readonly elapsedMs: () => number;
  readonly leaseMs?: number | undefined;
}

/** Of one holding: every later one, by whoever, has a higher number. */
export interface Held {
  readonly fence: number;
  readonly untilMs: number;
}

/**
 * The right to write a memory that machines share, held by one of them for a while. The server's clock decides when it
 * ends; here it ends earlier, counted from before the question was sent, so that two never hold it. What must not be
 * done by somebody who held it once asks the server with the fence.
 */
export class WriterLease implements WriterGate {
  readonly #parts: LeaseParts;
  readonly #leaseMs: number;
  #held: Held | undefined;
  /** When the server says it ends; changes whenever any process of this machine renews it. */
  #expires: string | undefined;
  #server: PostgresServer | undefined;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    this.#leaseMs = parts.leaseMs ?? LEASE_MS;
  }

  get device(): string {
    return this.#parts.device;
  }

  /** The lease, taken or renewed where less than half of it is left; undefined while another machine has it. */
  async take(): Promise<Held | undefined> {
    const { device, elapsedMs } = this.#parts;
    const askedMs = elapsedMs();
    if (this.#held !== undefined && this.#held.untilMs - askedMs > this.#leaseMs / 2) return this.#held;
    const taken = await this.#opened().writeBeside(async (transaction) => {
      const row = await transaction.row(
        `INSERT INTO leases VALUES ({ns}, 'writer', $1, 1, clock_timestamp() + $2::integer * interval '1 millisecond')
         ON CONFLICT (namespace, name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at,
           fence = leases.fence + CASE WHEN leases.holder = excluded.holder AND leases.expires_at > clock_timestamp()
             THEN 0 ELSE 1 END
         WHERE leases.holder = excluded.holder OR leases.expires_at <= clock_timestamp()
         RETURNING fence, expires_at::text`,
        device,
        this.#leaseMs,
      );
      return row === undefined ? undefined : { fence: Number(row[0]), expires: String(row[1]) };
    });
    this.#expires = taken?.expires;
    this.#held = taken === undefined ? undefined : { fence: taken.fence, untilMs: askedMs + this.#leaseMs };
    return this.#held;
  }

  async whyNot(): Promise<string | undefined> {
    try {
      const held = await this.take();
      if (held !== undefined && held.untilMs - this.#parts.elapsedMs() > this.#leastLeftMs) return undefined;
      return `Machine ${(await this.#findHolder()) ?? 'unknown'} writes this memory now.`;
    } catch (error) {
      if (!isMnemeError(error)) throw error;
      // A lease that is held stays valid, whether or not the server can be asked.
      const left = (this.#held?.untilMs ?? 0) - this.#parts.elapsedMs();
      return left > this.#leastLeftMs ? undefined : `Who writes this memory cannot be asked: ${errorMessage(error)}`;
    }
  }

  /**
   * Tells the write path whether another machine may have written since now. A call may outlast the lease it began with;
   * if this machine has the lease again and no other machine had it in between, the call goes on.
   */
  permit(): WritePermit {
    // Given back in between: as good as lost.
    let fence = this.#held?.fence ?? 0;
    return {
      assertHolds: async () => {
        fence = await this.#renewed(fence);
      },
    };
  }

  async #renewed(fence: number): Promise<number> {
    const left = (this.#held?.untilMs ?? 0) - this.#parts.elapsedMs();
    if (this.#held?.fence === fence && left > Math.min(LEAST_LEFT_AT_DOOR_MS, this.#leaseMs / 10)) return fence;
    const held = await this.#takeAtDoor();
    if (held?.fence === fence || held?.fence === fence + 1) return held.fence;
    const who = held === undefined ? `Machine ${(await this.#findHolder()) ?? 'unknown'}` : 'Another machine';
    throw new MnemeError('locked', `${who} began to write this memory while this call was still at it.`, {
      hint: 'Nothing of it was written from then on. Run it again when it is this machine’s turn, or do it there.',
    });
  }

  async #takeAtDoor(): Promise<Held | undefined> {
    try {
      return await this.take();
    } catch (error) {
      if (!isMnemeError(error)) throw error;
      throw new MnemeError('locked', `Whether this machine still writes cannot be asked: ${errorMessage(error)}`, {
        hint: 'It took longer than the lease, and was not written. Run it again when the server is back.',
        cause: error,
      });
    }
  }

  /** Whether the server still counts this holding as the last one. */
  isCurrent(fence: number): Promise<boolean> {
    const { device } = this.#parts;
    return this.#opened().writeBeside(async (transaction) => {
      const sql = `SELECT 1 FROM leases WHERE namespace = {ns} AND name = 'writer' AND holder = $1 AND fence = $2
        AND expires_at > clock_timestamp() FOR SHARE`;
      return (await transaction.row(sql, device, fence)) !== undefined;
    });
  }

  /** Unless another process of this machine has renewed it since: the lease is the machine's, and that one writes. */
  async release(): Promise<void> {
    const expires = this.#expires;
    if (this.#held === undefined || expires === undefined) return;
    this.#held = undefined;
    await this.#opened().writeBeside(async (transaction) => {
      const sql = `UPDATE leases SET expires_at = clock_timestamp() WHERE namespace = {ns} AND name = 'writer'
        AND holder = $1 AND expires_at = $2::timestamptz`;
      await transaction.rows(sql, this.#parts.device, expires);
    });
  }

  /** Left to run out: the next process of this machine goes on with it. */
  async close(): Promise<void> {
    await this.#server?.close();
  }

  /** Opened when first needed: settings that say too little are then told as everything else that is wrong. */
  #opened(): PostgresServer {
    this.#server ??= this.#parts.server();
    return this.#server;
  }

  get #leastLeftMs(): number {
    return Math.min(LEAST_LEFT_MS, this.#leaseMs / 3);
  }

  async #findHolder(): Promise<string | undefined> {
    return this.#opened().read(async (transaction) => {
      const row = await transaction.row("SELECT holder FROM leases WHERE namespace = {ns} AND name = 'writer'");
      return row === undefined ? undefined : String(row[0]);
    });
  }
}
