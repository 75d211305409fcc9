import type http from 'node:http';
import type net from 'node:net';

/**
 * Keeps `max` connections at most: one more closes the one that has waited longest without a request under way, so that
 * a client that opens connections and says nothing keeps no other client out.
 */
export function limitConnections(server: http.Server, max: number): void {
  // In the order in which they became idle.
  const idle = new Set<net.Socket>();
  const busy = new Map<net.Socket, number>();
  server.on('connection', (socket) => {
    idle.add(socket);
    socket.once('close', () => {
      idle.delete(socket);
      busy.delete(socket);
    });
    if (idle.size + busy.size <= max) return;
    const [longest] = idle;
    longest?.destroy();
  });
  server.on('request', ({ socket }, response) => {
    idle.delete(socket);
    busy.set(socket, (busy.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (busy.get(socket) ?? 1) - 1;
      if (left > 0) busy.set(socket, left);
      else {
        busy.delete(socket);
        if (!socket.destroyed) idle.add(socket);
      }
    });
  });
  // A bound for requests that are all under way.
  server.maxConnections = 2 * max;
}
