import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { messageOf, PlimsollError } from '../errors.ts';
import { PLAIN_SOURCE, type SourceOptions } from '../signals/source-options.ts';
import type { Config } from './schema.ts';

/**
 * Makes the options of every source of signals from the settings: reads the files and tries the certificates.
 * @throws PlimsollError CONFIG_INVALID when a file cannot be read or is no certificate or key that fits.
 */
export function sourceOptionsOf(signals: Config['signals']): SourceOptions {
  const { user, password, bearerToken } = signals;
  const options: SourceOptions = {
    ...PLAIN_SOURCE,
    credentials:
      bearerToken !== null
        ? { kind: 'bearer', token: bearerToken }
        : user !== null
          ? { kind: 'basic', user, password: password ?? '' }
          : null,
    caPem: readPem('caFile', signals.caFile),
    certPem: readPem('certFile', signals.certFile),
    keyPem: readPem('keyFile', signals.keyFile),
    proxy: signals.proxy,
    headers: Object.fromEntries(
      Object.entries(signals.headers).map(([name, value]) => [name, String(value)]),
    ),
    alsoTelling: new Set(/^\s*([^{\s]+)/.exec(signals.idle ?? '')?.slice(1)),
  };
  tryCertificates(options);
  return options;
}

function readPem(name: 'caFile' | 'certFile' | 'keyFile', path: string | null): string | null {
  if (path === null) return null;
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new PlimsollError('CONFIG_INVALID', `signals.${name} cannot be read: ${messageOf(cause)}`, {
      cause,
    });
  }
}

function tryCertificates({ caPem, certPem, keyPem }: SourceOptions): void {
  if (caPem !== null && !caPem.includes('-----BEGIN CERTIFICATE-----')) {
    throw new PlimsollError('CONFIG_INVALID', 'signals.caFile holds no certificate in PEM form');
  }
  try {
    createSecureContext({
      ...(caPem === null ? {} : { ca: caPem }),
      ...(certPem === null || keyPem === null ? {} : { cert: certPem, key: keyPem }),
    });
  } catch (cause) {
    throw new PlimsollError(
      'CONFIG_INVALID',
      `signals.caFile, certFile and keyFile are of no use together (${messageOf(cause)}): ` +
        'give PEM files, the key of that certificate and without a passphrase',
      { cause },
    );
  }
}
