import { connect } from 'node:net';

/** Opens and closes a TCP connection. @returns null when it works, else a short reason. */
export function whyUnreachable(host: string, port: number, timeoutMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const settle = (reason: string | null): void => {
      socket.destroy();
      resolve(reason);
    };
    socket.once('connect', () => settle(null));
    socket.once('timeout', () => settle(`no answer in ${timeoutMs} ms`));
    socket.once('error', (error: NodeJS.ErrnoException) => settle(error.code ?? error.message));
  });
}
