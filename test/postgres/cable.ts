import net from 'node:net';

/** Stands between the homes and the server, and can be cut. */
export class Cable {
  readonly #sockets = new Set<net.Socket>();
  readonly #listener: net.Server;
  isCut = false;

  constructor(target: { readonly host: string; readonly port: number }) {
    this.#listener = net.createServer((near) => {
      if (this.isCut) return void near.destroy();
      const far = net.connect(target.port, target.host);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        one.pipe(other);
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
    });
  }

  listen(): Promise<number> {
    return new Promise((resolve) => {
      this.#listener.listen(0, '127.0.0.1', () => resolve((this.#listener.address() as net.AddressInfo).port));
    });
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  close(): void {
    this.cut();
    this.#listener.close();
  }
}
