import net from 'node:net';

/** What the cable answers in the server's place. */
export interface Fault {
  /** SQLSTATE. */
  readonly state: string;
  readonly message: string;
  /** Statements that fail; others go on to the server. */
  readonly statements: RegExp;
}

/** Stands between the homes and the server: can be cut, can keep everything to itself, and can answer with an error. */
export class Cable {
  readonly #sockets = new Set<net.Socket>();
  readonly #listener: net.Server;
  isCut = false;
  /** Takes everything and passes nothing on, like a server that no longer answers. */
  isSilent = false;
  fault: Fault | undefined;
  faults = 0;

  constructor(target: { readonly host: string; readonly port: number }) {
    this.#listener = net.createServer((near) => {
      if (this.isCut) return void near.destroy();
      const far = net.connect(target.port, target.host);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
      far.on('data', (bytes) => void (this.isSilent || near.write(bytes)));
      const messages = new Messages();
      let isSwallowing = false;
      near.on('data', (bytes) => {
        for (const message of messages.take(bytes)) {
          if (this.isSilent) continue;
          if (isSwallowing) {
            if (message.type === 'S') {
              isSwallowing = false;
              near.write(readyForQuery);
            }
            continue;
          }
          const fault = this.#faultOf(message);
          if (fault === undefined) {
            far.write(message.bytes);
            continue;
          }
          this.faults += 1;
          near.write(errorResponse(fault));
          if (message.type === 'P') isSwallowing = true;
          else near.write(readyForQuery);
        }
      });
    });
  }

  listen(): Promise<number> {
    return new Promise((resolve) => {
      this.#listener.listen(0, '127.0.0.1', () => resolve((this.#listener.address() as net.AddressInfo).port));
    });
  }

  cut(): void {
    this.isCut = true;
    this.drop();
  }

  /** Breaks what is connected, as a server that is restarted does. */
  drop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  close(): void {
    this.cut();
    this.#listener.close();
  }

  #faultOf({ type, bytes }: Message): Fault | undefined {
    const isStatement = type === 'Q' || type === 'P';
    return isStatement && this.fault?.statements.test(bytes.toString('latin1')) === true ? this.fault : undefined;
  }
}

interface Message {
  /** Empty for the first one of a connection, which has none. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** Cuts what a client sends into the messages of PostgreSQL's protocol. */
class Messages {
  #rest = Buffer.alloc(0);
  #isStarted = false;

  *take(bytes: Uint8Array): Generator<Message> {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const header = this.#isStarted ? 1 : 0;
      if (this.#rest.length < header + 4) return;
      const end = header + this.#rest.readUInt32BE(header);
      if (this.#rest.length < end) return;
      const type = this.#isStarted ? String.fromCodePoint(this.#rest[0] ?? 0) : '';
      const message = this.#rest.subarray(0, end);
      this.#rest = this.#rest.subarray(end);
      this.#isStarted = true;
      yield { type, bytes: message };
    }
  }
}

function errorResponse({ state, message }: Fault): Buffer {
  const body = Buffer.from(`SERROR\0VERROR\0C${state}\0M${message}\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** In a transaction that has failed. */
const readyForQuery = Buffer.from('Z\0\0\0\u{5}E');
