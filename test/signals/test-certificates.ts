import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TestCertificates {
  readonly caFile: string;
  /** For localhost and 127.0.0.1. */
  readonly server: KeyPair;
  readonly client: KeyPair;
  /** For another host name. */
  readonly stranger: KeyPair;
  readonly expired: KeyPair;
}

export interface KeyPair {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Makes an authority and certificates by it, with openssl, in a folder. */
export function makeCertificates(folder: string): TestCertificates {
  const path = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-subj',
    '/CN=Test authority',
    '-days',
    '2',
    '-keyout',
    path('ca.key'),
    '-out',
    path('ca.pem'),
  );

  const signed = (name: string, altName: string, days = '2'): KeyPair => {
    const pair = { certFile: path(`${name}.pem`), keyFile: path(`${name}.key`) };
    writeFileSync(path(`${name}.ext`), `subjectAltName=${altName}\n`);
    openssl('req', ...newKey, '-subj', `/CN=${name}`, '-keyout', pair.keyFile, '-out', path(`${name}.csr`));
    openssl(
      'x509',
      '-req',
      '-in',
      path(`${name}.csr`),
      '-CA',
      path('ca.pem'),
      '-CAkey',
      path('ca.key'),
      '-CAcreateserial',
      '-days',
      days,
      '-extfile',
      path(`${name}.ext`),
      '-out',
      pair.certFile,
    );
    return pair;
  };
  return {
    caFile: path('ca.pem'),
    server: signed('server', 'DNS:localhost,IP:127.0.0.1'),
    client: signed('client', 'DNS:client'),
    stranger: signed('stranger', 'DNS:elsewhere.example'),
    expired: signed('expired', 'DNS:localhost,IP:127.0.0.1', '-1'),
  };
}

export function readPair({ certFile, keyFile }: KeyPair): { readonly cert: string; readonly key: string } {
  return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
}
